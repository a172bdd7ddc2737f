"""What all tests share: order, profiles of hypothesis, nothing else. Helpers live beside their tests."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Two cores that others use as well: a slow example is not a finding, a hang is (see `timeout`).
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
# The same examples in every run of CI: what fails there fails here.
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# The journal of whoever runs the tests is nobody's business here.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="penultima-tests-")

BROWSER = Path(__file__).parent / "browser"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Playwright's synchronous interface keeps an event loop running in the main thread for as
    # long as the browser lives, so everything asynchronous has to come before.
    items.sort(key=lambda item: BROWSER in item.path.parents)
