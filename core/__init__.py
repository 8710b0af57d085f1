"""The scoring core: arrays and records in, frozen results out. Knows nothing of the web page."""
