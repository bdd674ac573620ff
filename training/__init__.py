"""Data, training and export of the decision model inside the package; not part of it."""
