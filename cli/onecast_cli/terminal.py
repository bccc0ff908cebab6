"""How wide text may be."""

import shutil

LEAST = 20


def columns(otherwise: int) -> int:
    """As COLUMNS or the terminal says; `otherwise` where nobody does."""
    return max(LEAST, shutil.get_terminal_size((otherwise, 24)).columns)
