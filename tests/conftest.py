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
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Playwright's synchronous interface keeps an event loop running in the main thread for as
    # long as the browser lives, so everything asynchronous has to come before. With several
    # workers, what may take longest begins first, or one would end with it while the others have
    # nothing left.
    several = hasattr(config, "workerinput")
    items.sort(key=lambda item: (BROWSER in item.path.parents, -may_take(item) * several))


def may_take(item: pytest.Item) -> float:
    """Seconds that a test asks for."""
    mark = item.get_closest_marker("timeout")
    return float(mark.args[0]) if mark else 0.0
