"""Knowledge harms: what statements say of groups of people, how polarised it is, and how unevenly it is spread."""
