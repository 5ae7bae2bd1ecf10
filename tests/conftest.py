"""What all tests share: how hard Hypothesis tries, here and in CI."""

import os

from hypothesis import settings

# No deadline for a single example: the machines that run these tests are small and shared.
settings.register_profile("local", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=200, deadline=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
