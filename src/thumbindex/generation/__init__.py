"""Writing text with a language model, for those who have one."""
