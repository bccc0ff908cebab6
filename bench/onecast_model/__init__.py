"""What opening, reading, writing and closing cost on many ranks; see docs/reference/model.md."""
