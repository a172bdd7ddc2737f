"""Links: what a person may write, and what is passed on."""

from __future__ import annotations

import pytest

from penultima.host import links
from penultima.host.links import CLOUD, PeerServer

TABLE = "abcdef.ssssssssssssssss"


@pytest.mark.parametrize(
    ("written", "link", "socket"),
    [
        ("https://0.peerjs.com", "0.peerjs.com", "wss://0.peerjs.com/peerjs?key=peerjs&id=i&token=t"),
        ("0.peerjs.com", "0.peerjs.com", "wss://0.peerjs.com/peerjs?key=peerjs&id=i&token=t"),
        ("wss://Peer.Example:9000/x/", "peer.example:9000/x", "wss://peer.example:9000/x/peerjs?key=peerjs&id=i&token=t"),
        ("http://localhost:9000?key=mine", "http://localhost:9000?key=mine", "ws://localhost:9000/peerjs?key=mine&id=i&token=t"),
    ],
)
def test_a_peerserver_is_written_as_an_address(written: str, link: str, socket: str) -> None:
    server = PeerServer.read(written)
    assert str(server) == link
    assert server.socket("i", "t") == socket
    assert PeerServer.read(str(server)) == server


@pytest.mark.parametrize("bad", ["", "ftp://x", "https://", "https://x:0", "https://x:99999", "https://u:p@x", "https://x#y", "https://x?a=b", "https://x?key=a&b=c", "https://x/a b", "https://x/&", "https://ü"])
def test_what_is_no_peerserver(bad: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        PeerServer.read(bad)


@pytest.mark.parametrize(
    ("written", "site"),
    [
        ("https://ana.github.io/uno", "https://ana.github.io/uno/"),
        ("ana.github.io/uno/index.html", "https://ana.github.io/uno/"),
        ("https://uno.example", "https://uno.example/"),
        ("http://localhost:8000", "http://localhost:8000/"),
    ],
)
def test_a_site_ends_with_a_slash(written: str, site: str) -> None:
    assert links.site(written) == site


@pytest.mark.parametrize("bad", ["", "http://192.168.1.7:8000", "http://uno.example", "ftp://x", "https://x?y", "https://x#y", "https://u@x", "https://x/a b"])
def test_where_no_browser_would_let_the_page_connect_is_no_site(bad: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        links.site(bad)


def test_a_link_names_the_server_unless_it_is_the_public_one() -> None:
    far = links.far("https://uno.example/", "abcdefgh23456789", CLOUD, TABLE)
    assert far == f"https://uno.example/#peer=abcdefgh23456789&{TABLE}"
    assert links.is_far(far)
    own = links.far("https://uno.example/x/", "abcdefgh23456789", PeerServer("p.example/y", "k"), TABLE)
    assert own == f"https://uno.example/x/#peer=abcdefgh23456789&at=p.example/y?key=k&{TABLE}"


def test_the_shared_screen_has_a_page_of_its_own_only_where_the_host_serves_it() -> None:
    assert links.screen(f"http://192.168.1.7:8765/#{TABLE}") == f"http://192.168.1.7:8765/mesa#{TABLE}"
    assert links.screen(f"https://uno.example/x/#peer=i&{TABLE}") == f"https://uno.example/x/?mesa#peer=i&{TABLE}"
