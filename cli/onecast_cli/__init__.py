"""The command `onecast`."""
