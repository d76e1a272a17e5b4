"""What the scripts about ranking share."""
