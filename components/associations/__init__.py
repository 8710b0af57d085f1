"""The three views of the page on word associations, one file each."""
