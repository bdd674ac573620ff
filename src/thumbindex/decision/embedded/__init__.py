"""The decision model inside the package: texts to word pieces to windows, and what a small network says of each."""
