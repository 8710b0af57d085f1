"""The views of the page on knowledge harms, one file each, and what they share."""
