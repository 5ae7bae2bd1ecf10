"""What all tests share: how hard Hypothesis tries, here and in CI."""

import os
import tempfile

from hypothesis import settings

# No test reads the tables of whoever runs it, and no server that a test starts builds any unless asked.
os.environ.setdefault("GOKAKU_SOLVE", "0")
os.environ["GOKAKU_DATA"] = os.environ.get("GOKAKU_TEST_DATA") or tempfile.mkdtemp(prefix="gokaku-no-tables-")

# No deadline for a single example: the machines that run these tests are small and shared.
settings.register_profile("local", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=200, deadline=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
