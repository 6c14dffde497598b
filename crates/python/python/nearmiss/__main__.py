"""The command line: `python -m nearmiss explain FILE.c` and, where scripts are installed, `nearmiss explain FILE.c`."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from .asking import TOOL


def main() -> NoReturn:
    """Becomes the tool."""
    os.execv(TOOL, ["nearmiss", *sys.argv[1:]])


if __name__ == "__main__":
    main()
