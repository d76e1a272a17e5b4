"""What scripts/fetch-models is made of; only the standard library is used."""
