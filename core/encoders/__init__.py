"""Sentence encoders behind one protocol: text in, one vector per text out."""
