"""The box that goes through a PeerServer, byte for byte as the page makes and opens it."""

from __future__ import annotations

import pytest

from penultima.host.sealed import Direction, NotSealed, Seal, derived
from tests.host.phones import SECRET

TEXT = '{"t":"knock","v":1} ¡UNO!'


@pytest.mark.parametrize(
    ("direction", "source", "target", "box"),
    [
        ("to host", "guest", "host", "AAECAwQFBgcICQoL3WtZrhQiMkI65EpDChJXpzVersohEoE-74BYEZQTt9djm0hVxSUdddoF"),
        ("to guest", "host", "guest", "AAECAwQFBgcICQoLbDgdqBW9mqX3wEf0IkSqZpwUA2HKpOpYW3y4_-FkL4M258JKhIPRlLR6"),
    ],
)
def test_it_is_the_box_that_static_test_far_opens(direction: Direction, source: str, target: str, box: str) -> None:
    assert Seal(SECRET, direction).open({"box": box}, source, target) == TEXT


def test_it_opens_for_its_sender_receiver_and_direction_alone() -> None:
    to_host, to_guest = Seal(SECRET, "to host"), Seal(SECRET, "to guest")
    box = to_host.seal("hola", "a", "b")
    assert to_host.open(box, "a", "b") == "hola"
    for wrong, source, target in (
        (to_guest, "a", "b"),
        (to_host, "b", "a"),
        (to_host, "a", "c"),
        (Seal("x", "to host"), "a", "b"),
    ):
        with pytest.raises(NotSealed):
            wrong.open(box, source, target)


@pytest.mark.parametrize("payload", [None, "", 7, [], {}, {"box": None}, {"box": ""}, {"box": "AAAA"}, {"box": "ü"}, {"box": "\ud800"}, {"box": "A" * 99_999}, {"sdp": "v=0"}])
def test_anything_else_does_not_open(payload: object) -> None:
    with pytest.raises(NotSealed):
        Seal(SECRET, "to host").open(payload, "\ud800", "b")


def test_the_same_text_is_never_the_same_box() -> None:
    seal = Seal(SECRET, "to host")
    assert seal.seal("hola", "a", "b") != seal.seal("hola", "a", "b")


def test_what_follows_from_a_secret_tells_nothing_of_what_else_does() -> None:
    assert len({derived(SECRET, "peer id"), derived(SECRET, "peer token"), derived("t" + SECRET[1:], "peer id")}) == 3
