"""The page on ethical interventions, one file per view."""
