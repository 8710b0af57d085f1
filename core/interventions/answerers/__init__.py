"""Who answers: sentence encoders, question answering models, text generators, and the published scores."""
