"""STUN and TURN as options, and what a guest is told of them."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from penultima.host import ice

NOW = 1_800_000_000.0


def test_nobody_is_asked_unless_somebody_says_so() -> None:
    assert not ice.NONE
    assert ice.NONE.for_guest(NOW) == []
    assert ice.NONE.reflectors == ()


@pytest.mark.parametrize(
    ("url", "servers"),
    [
        ("turn:a.example", ["turn:a.example:3478?transport=udp", "turn:a.example:3478?transport=tcp"]),
        ("turn:a.example:99?transport=tcp", ["turn:a.example:99?transport=tcp"]),
        ("turn:192.0.2.1:99?transport=udp", ["turn:192.0.2.1:99?transport=udp"]),
        ("turns:a.example", ["turns:a.example:5349?transport=tcp"]),
        ("turns:[2001:db8::1]:443", ["turns:[2001:db8::1]:443?transport=tcp"]),
    ],
)
def test_a_relay_is_tried_by_udp_and_tcp_unless_it_says_which(url: str, servers: list[str]) -> None:
    assert [str(each) for each in ice.read(turn=[url], secret="s").turn] == servers


def test_a_guest_gets_credentials_and_a_reflector_none() -> None:
    told = ice.read(["stun:a.example", "stun:b.example:99"], ["turns:c.example"], "ana", "pw")
    assert told.for_guest(NOW) == [
        {"urls": ["stun:a.example:3478", "stun:b.example:99"]},
        {"urls": ["turns:c.example:5349?transport=tcp"], "username": "ana", "credential": "pw"},
    ]
    assert not told.expires


def test_credentials_for_minutes_are_what_coturn_computes() -> None:
    told = ice.read(turn=["turn:c.example"], secret="between us")
    assert told.expires
    (server,) = told.for_guest(NOW)
    expiry, _, name = server["username"].partition(":")
    assert int(expiry) == NOW + 600
    assert name
    expected = hmac.new(b"between us", server["username"].encode(), hashlib.sha1).digest()
    assert server["credential"] == base64.b64encode(expected).decode()
    (another,) = told.for_guest(NOW)
    assert another["username"] != server["username"], "each guest its own"


def test_a_relay_tells_the_host_its_address_as_a_stun_server_does() -> None:
    told = ice.read(turn=["turn:c.example"], secret="s")
    assert [str(each) for each in told.reflectors] == ["turn:c.example:3478?transport=udp"]
    both = ice.read(["stun:a.example"], ["turn:c.example"], secret="s")
    assert [each.host for each in both.reflectors] == ["a.example", "c.example"]
    assert ice.read(turn=["turns:c.example"], secret="s").reflectors == ()


def test_secrets_are_not_printed() -> None:
    assert "hush" not in repr(ice.read(turn=["turn:c.example"], secret="hush"))
    assert "hush" not in repr(ice.read(turn=["turn:c.example"], username="a", password="hush"))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"stun": ["stun.example.org"]}, "--stun stun.example.org: give it like stun:"),
        ({"stun": ["turn:a.example"]}, "--stun turn:a.example: give it like stun:"),
        ({"stun": ["stun:"]}, "give it like stun:"),
        ({"stun": ["stun:a..example"]}, "give it like stun:"),
        ({"stun": ["stun:a_b.example"]}, "give it like stun:"),
        ({"stun": ["stun:a.example:0"]}, "0 is no port"),
        ({"stun": ["stun:a.example:70000"]}, "70000 is no port"),
        ({"stun": ["stun:[1.2.3.4]"]}, "give it like stun:"),
        ({"stun": ["stun:a.example?transport=udp"]}, "leave it out"),
        ({"turn": ["https://a.example"]}, "or turns:turn.example.org:5349"),
        ({"turn": ["stun:a.example"]}, "or turns:turn.example.org:5349"),
        ({"turn": ["turn:a.example?transport=sctp"]}, "or turns:turn.example.org:5349"),
        ({"turn": ["turns:a.example?transport=udp"]}, "turns goes over TCP"),
        ({"turn": ["turn:a.example"]}, "--turn needs --turn-secret"),
        ({"turn": ["turn:a.example"], "username": "a"}, "go together"),
        ({"turn": ["turn:a.example"], "password": "a"}, "go together"),
        ({"turn": ["turn:a.example"], "username": "a", "password": "b", "secret": "c"}, "leave"),
        ({"secret": "s"}, "are for --turn URL"),
        ({"stun": ["stun:a.example"], "username": "a", "password": "b"}, "are for --turn URL"),
    ],
)
def test_a_mistake_says_what_to_write(options: dict, says: str) -> None:
    with pytest.raises(ice.IceError, match=r"^--") as caught:
        ice.read(**options)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
