"""A host inside the test's own loop, as in tests/host."""

from tests.host.conftest import host, new_host

__all__ = ["host", "new_host"]
