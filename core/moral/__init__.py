"""Moral scores of phrases: the Moral Choice Machine and the moral axis."""
