"""Networks of our own; skipped, with the reason, where there can be none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import debian
from tests.network import coturn, namespaces


@pytest.fixture(scope="module")
def net() -> Iterator[namespaces.Net]:
    """Spaces for the tests of one file."""
    try:
        namespaces.ensure()
    except namespaces.NoNamespaces as error:
        pytest.skip(str(error))
    with namespaces.Net() as made:
        yield made


@pytest.fixture(scope="module")
def homes(net: namespaces.Net) -> namespaces.Homes:
    return namespaces.Homes(net)


@pytest.fixture(scope="module")
def relay(homes: namespaces.Homes, tmp_path_factory: pytest.TempPathFactory) -> coturn.Coturn:
    """coturn on the internet between the homes, as docs/coturn.md says, listening at a second
    address too."""
    try:
        debian.ensure("coturn")
    except debian.NotInstalled as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("coturn")
    return coturn.Coturn(homes.internet, folder, f"listening-ip={namespaces.INTERNET_TOO}")
