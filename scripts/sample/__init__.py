"""The sample corpus: light markup in, Word files, archives and an answer key out."""
