"""Models the cost of opening, reading, writing and closing on many ranks; see
docs/reference/model.md."""
