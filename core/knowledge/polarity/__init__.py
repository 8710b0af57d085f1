"""Whether a statement speaks well or ill of whom it is about: classifiers behind one protocol."""
