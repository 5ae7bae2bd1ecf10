"""`python -m gokaku` is `gokaku`."""

import sys

from gokaku.cli import main

sys.exit(main())
