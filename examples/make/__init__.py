"""How the example documents are made: manuscript and figures, typeset, drawn, and asked about."""
