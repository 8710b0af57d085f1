"""Word associations: WEAT, the verbs of a vocabulary, their affect, and their relation to moral scores."""
