"""Made-up moments of a table, one for each screen and each sheet that a player can meet.

For looking (docs/pictures/make.py) and for measuring (test_acceptance_*.py). The views are the
wire's (docs/protocol.md, 5); that a table may really send each of them is proven elsewhere.
"""

from __future__ import annotations

from typing import Any

from tests.browser.stage import CODE, FRAGMENT, LINK, Address, Lost, Scene

NAMES = (
    *("Ana", "Beto", "Carla", "Dani", "María José"),
    *("Fer", "Guille", "Héctor", "Inés", "Maximiliano"),
)
CARDS = (7, 5, 3, 8, 2, 6, 4, 12, 7, 9)
SCORES = (120, 45, 310, 0, 88, 210, 15, 167, 32, 250)
HAND = ["r3", "r7", "y4", "g7", "gS", "b+2", "W"]
DECK = [
    *("r0", "r3", "r7", "rS", "r+2", "y1", "y4", "y4", "y9", "yR"),
    *("g2", "g5", "g8", "gS", "g+2", "b0", "b3", "b6", "b9", "bR"),
    *("W", "W", "W+4", "W+4", "r1", "r2", "y2", "y3", "y7", "g0"),
    *("g1", "g6", "b1", "b2", "b4", "b5", "b7", "b8", "rR", "g9"),
]

CABLE_LINK = f"http://[fd12:3456:789a:1:2:3:4:5]:8770/#{FRAGMENT}"
FAR_LINK = f"https://four-words-at-random.trycloudflare.com/#{FRAGMENT}"

PLAYED = ({"e": "played", "seat": 3, "card": "g4", "how": "turn"},)


def seats(n: int, **change: dict[str, Any]) -> list[dict[str, Any]]:
    """`s2={"bot": "normal"}` changes seat 2."""
    return [
        {"name": NAMES[k], "cards": CARDS[k], "score": SCORES[k], **change.get(f"s{k}", {})}
        for k in range(n)
    ]


def table(**change: Any) -> dict[str, Any]:
    """A round of four in which seat 0 is to act."""
    view = {
        "phase": "round",
        "title": "La casa de Ana",
        "you": 0,
        "host": 0,
        "rules": "classic",
        "seats": seats(4),
        "round": 3,
        "dealer": 3,
        "turn": 0,
        "wait": "free",
        "top": "g4",
        "colour": "g",
        "dir": 1,
        "pile": 61,
        "discard": 18,
        "under": ["b4", "b9", "y9"],
        "hand": HAND,
        "legal": ["y4", "g7", "gS", "W=", "draw"],
    } | change
    return {name: value for name, value in view.items() if value is not None}


def over(phase: str = "between", **change: Any) -> dict[str, Any]:
    result = {
        "winner": 2,
        "points": 87,
        "gained": [0, 0, 87, 0],
        "why": "won",
        "hands": [
            HAND,
            ["r1", "g4", "y+2", "W"],
            [],
            ["b3", "b4", "r5", "y2", "gS", "r0", "y7", "y9"],
        ],
    }
    return table(phase=phase, wait="over", turn=None, legal=None, **{"result": result, **change})


def lobby(n: int, **change: Any) -> dict[str, Any]:
    return {
        "phase": "lobby",
        "title": "La casa de Ana",
        "you": 0,
        "host": 0,
        "rules": "party hand_size=5",
        "seats": seats(n, s1={"bot": "normal", "name": "Robo Pepe"}, s2={"state": "hidden"}),
    } | change


def outside(view: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in view.items() if name != "you"}


MENU = "[data-testid=menu]"
FULL = seats(
    10,
    s2={"called": True, "cards": 1},
    s5={"state": "away", "left": 320},
    s6={"state": "hidden"},
    s7={"bot": "normal"},
    s8={"state": "standin", "bot": "normal"},
)


def item(name: str) -> tuple[str, str]:
    return (MENU, f"[data-testid=menu-{name}]")


def card(face: str) -> str:
    return f'button.held[data-card="{face}"]'


# ------------------------------------------------------------------------------------ the scenes

NAME = "[data-testid=name-input] := Ana"
ENTER = "[data-testid=enter]"
OUTSIDE = outside(lobby(3))

ENTERING = {
    "enter": Scene(OUTSIDE, host=False),
    "enter-first": Scene(outside(lobby(0)), host=False),
    "enter-locked": Scene(OUTSIDE | {"locked": True}, host=False),
    "enter-full": Scene(
        outside(lobby(10)), taps=(NAME, ENTER), host=False, refuses={"sit": "table_full"}
    ),
    "enter-bad-name": Scene(
        OUTSIDE, taps=(NAME, ENTER), host=False, refuses={"sit": "name_bad"}
    ),
    "enter-shut": Scene(
        OUTSIDE | {"locked": True}, taps=(NAME, ENTER), host=False, refuses={"sit": "table_locked"}
    ),
    # One was cut off, one has left.
    "enter-away": Scene(
        outside(
            table(
                seats=seats(
                    5,
                    s1={"state": "gone"},
                    s2={"state": "away", "left": 420},
                    s4={"state": "standin"},
                )
            )
        ),
        host=False,
    ),
    "enter-refused": Scene(
        outside(table(seats=seats(4, s2={"state": "out"}))),
        taps=("[data-testid=claim-2]",),
        host=False,
        refuses={"claim": "not_allowed"},
    ),
    "enter-claiming": Scene(
        outside(table(seats=seats(4, s3={"state": "away", "left": 500}))),
        taps=("[data-testid=claim-3]",),
        host=False,
    ),
}
LOBBIES = {
    "lobby": Scene(lobby(4)),
    "lobby-10": Scene(lobby(10)),
    "lobby-guest": Scene(lobby(3, you=2), host=False),
    "lobby-claim": Scene(lobby(4, seats=seats(4, s3={"state": "away", "claim": True}))),
    "lobby-locked": Scene(lobby(3, locked=True)),
    # Every way in: the next is of the same kind, or of another.
    "lobby-links": Scene(lobby(3), then=({"t": "links", "links": [LINK, FAR_LINK, CABLE_LINK]},)),
    "lobby-links-same": Scene(lobby(3), then=({"t": "links", "links": [LINK, CABLE_LINK]},)),
    "lobby-remove": Scene(lobby(3), taps=("[data-testid=remove-2]",)),
    "lobby-menu": Scene(lobby(3), taps=(MENU,)),
    "lobby-host": Scene(lobby(6), taps=item("host")),
    "lobby-invite": Scene(lobby(3), taps=item("invite")),
    "lobby-screen": Scene(lobby(3), taps=(*item("host"), "[data-testid=menu-screen]")),
    "rules": Scene(lobby(3), taps=("[data-testid=rules]",)),
    "rules-guest": Scene(lobby(3, you=2), taps=("[data-testid=rules]",), host=False),
    "rules-112": Scene(
        lobby(
            3,
            rules="classic deck=112",
            custom=[
                {"text": "Canta una canción", "effect": "all_draw"},
                {"text": "", "effect": "none"},
                {"text": "", "effect": "swap"},
            ],
            agreed=["Quien gane sirve la próxima"],
        ),
        taps=("[data-testid=rules]",),
    ),
}
TABLES = {
    "table": Scene(table(), PLAYED),
    "table-2": Scene(
        table(seats=seats(2), turn=1, legal=None),
        ({"e": "played", "seat": 0, "card": "gR"}, {"e": "skipped", "seat": 1}),
    ),
    "table-3": Scene(table(seats=seats(3), turn=0), PLAYED[:0]),
    "table-6": Scene(
        table(seats=seats(6), turn=2, dir=-1, legal=None, top="W", colour="b"),
        ({"e": "played", "seat": 4, "card": "W", "colour": "b"},),
    ),
    "table-10": Scene(table(seats=FULL), PLAYED),
    "raised": Scene(table(), PLAYED, (card("g7"),)),
    "hand-1": Scene(
        table(hand=["g7"], seats=seats(4, s0={"cards": 1}), exposed=[0], legal=["uno"], turn=1),
        PLAYED,
    ),
    "hand-2": Scene(table(hand=["g7", "b2"], legal=["g7", "draw", "uno"]), PLAYED),
    "hand-12": Scene(table(hand=DECK[:12]), PLAYED),
    "hand-25": Scene(table(hand=DECK[:25], seats=seats(10)), PLAYED),
    "hand-40": Scene(table(hand=DECK[:40], seats=seats(10)), PLAYED),
    "drawn": Scene(
        table(wait="drawn", drawn="g1", hand=[*HAND, "g1"], legal=["g1", "pass"], under=["b4"]),
        ({"e": "drew", "seat": 0, "count": 1, "cause": "turn", "cards": ["g1"]},),
    ),
    "stack": Scene(
        table(
            top="g+2",
            wait="answer",
            pending=6,
            opener=1,
            hand=["r3", "b+2", "W+4", "g7"],
            legal=["b+2", "W+4=", "accept"],
            rules="party",
        ),
        ({"e": "played", "seat": 3, "card": "g+2", "how": "answer"},),
    ),
    "jump": Scene(
        table(
            rules="party",
            turn=1,
            top="g7",
            hand=["g7", "r7", "b3"],
            legal=["g7>"],
            targets=[1, 2, 3],
        ),
        ({"e": "played", "seat": 3, "card": "g7", "how": "turn"},),
    ),
    "run": Scene(
        table(
            rules="icebreaker",
            hand=["r4", "b4", "y4", "g9", "W"],
            legal=["r4", "b4", "y4", "g9", "W=", "draw"],
        ),
        PLAYED,
        (card("r4"), card("b4"), card("y4")),
    ),
    "pairs": Scene(table(rules="classic teams=pairs"), PLAYED),
    "custom": Scene(
        table(
            rules="classic deck=112",
            hand=["WC1", "WC3", "WH", "g7"],
            legal=["WC1=", "WC3=>", "WH=", "g7", "draw"],
            targets=[1, 2, 3],
            custom=[
                {"text": "Canta una canción", "effect": "all_draw"},
                {"text": "", "effect": "none"},
                {"text": "Cambia conmigo", "effect": "swap"},
            ],
        ),
        PLAYED,
    ),
    "catch": Scene(
        table(
            turn=2,
            legal=["catch 1"],
            exposed=[1],
            seats=seats(4, s1={"cards": 1}),
            top="b1",
            colour="b",
        ),
        ({"e": "played", "seat": 1, "card": "b1", "how": "turn"},),
    ),
    "paused": Scene(
        table(paused=["away"], seats=seats(4, s2={"state": "away", "left": 540}), legal=None),
        ({"e": "away", "seat": 2},),
    ),
    "long": Scene(
        table(),
        (
            {"e": "challenged", "seat": 3, "opener": 4, "bluff": False},
            {
                "e": "drew",
                "seat": 3,
                "count": 10,
                "cause": "challenge",
                "owed": 10,
                "extra": 2,
            },
            {"e": "skipped", "seat": 3},
        ),
    ),
    "watching": Scene(table(legal=None, hand=None, seats=seats(4, s0={"state": "next"})), PLAYED),
    "eliminated": Scene(
        table(
            rules="classic scoring=elimination target=50",
            turn=1,
            legal=None,
            hand=None,
            seats=seats(4, s0={"state": "out", "cards": 0}),
        ),
        PLAYED,
    ),
}
ASKING = {
    "colour": Scene(table(), PLAYED, (card("W"), "[data-testid=play]")),
    "player": Scene(
        table(seats=seats(10), hand=["r7", "g7"], legal=["g7>"], targets=list(range(1, 10))),
        PLAYED,
        (card("g7"), "[data-testid=play]"),
    ),
    "four": Scene(
        table(
            top="W+4",
            colour="b",
            under=["y9", "g4"],
            wait="answer",
            pending=4,
            opener=3,
            challengeable=True,
            legal=["accept", "challenge"],
        ),
        ({"e": "played", "seat": 3, "card": "W+4", "colour": "b", "how": "turn"},),
    ),
    "shown": Scene(
        table(
            top="W+4",
            colour="b",
            shown={
                "of": 3,
                "cards": ["r1", "g9", "g2", "b5", "W", "y8", "rS"],
                "guilty": ["g9", "g2"],
            },
        ),
        (
            {"e": "challenged", "seat": 0, "opener": 3, "bluff": True},
            {"e": "drew", "seat": 3, "count": 4, "cause": "bluff", "owed": 4},
        ),
    ),
    "catch-many": Scene(
        table(
            turn=2,
            legal=["catch 1", "catch 3"],
            exposed=[1, 3],
            seats=seats(4, s1={"cards": 1}, s3={"cards": 1}),
        ),
        ({"e": "rotated", "direction": 1},),
        ("[data-testid=catch]",),
    ),
    "menu": Scene(table(), PLAYED, (MENU,)),
    "host": Scene(table(seats=seats(6, s2={"state": "away", "left": 100})), PLAYED, item("host")),
    "log": Scene(
        table(),
        (
            *PLAYED,
            {
                "e": "drew",
                "seat": 1,
                "count": 10,
                "cause": "challenge",
                "owed": 10,
                "extra": 2,
            },
            {"e": "called", "seat": 2},
            {"e": "turned", "direction": -1},
        ),
        item("log"),
    ),
    "table-rules": Scene(table(rules="party"), PLAYED, item("rules")),
    "report": Scene(table(), PLAYED, item("report")),
    "link": Scene(table(), PLAYED, item("link")),
    "leave": Scene(table(), PLAYED, item("leave")),
    "end": Scene(table(), PLAYED, (*item("host"), "[data-testid=menu-end]")),
    "invite": Scene(table(), PLAYED, item("invite")),
    "remove": Scene(table(), PLAYED, (*item("host"), "[data-testid=remove-3]")),
    "take-out": Scene(
        table(paused=["away"], seats=seats(4, s2={"state": "away", "left": 540}), legal=None),
        ({"e": "away", "seat": 2},),
        (*item("host"), "[data-testid=out-2]"),
    ),
    "seat-asked": Scene(
        table(
            paused=["away"], seats=seats(4, s2={"state": "away", "left": 540, "claim": True}), legal=None
        )
    ),
    "urge": Scene(
        table(
            paused=["away"], you=1, seats=seats(4, s2={"state": "away", "left": 530}), legal=None, turn=2
        )
        | {"seats": seats(4, s2={"state": "away", "left": 530, "urge": 0})},
        host=False,
    ),
}
ENDINGS = {
    "round-end": Scene(over()),
    "round-end-guest": Scene(over(you=1), host=False),
    # One was cut off and asks for the seat, one has left.
    "round-end-claim": Scene(
        over(
            seats=seats(
                4, s1={"state": "away", "left": 400, "claim": True}, s3={"state": "gone", "cards": 0}
            )
        )
    ),
    "match-end": Scene(
        over(
            "over",
            winners=[0],
            seats=seats(4, s0={"score": 532}),
            result={
                "winner": 0,
                "points": 87,
                "gained": [87, 0, 0, 0],
                "hands": [[], ["r1", "g4"], ["b3", "b4"], ["b3", "r5", "y2", "gS"]],
            },
        )
    ),
    "vote": Scene(over(rules="icebreaker", vote={"by": 2, "value": "stacking=cross", "yes": [1]})),
    "propose": Scene(
        over(
            rules="icebreaker",
            result={"winner": 0, "points": 20, "gained": [20], "hands": [[], ["r1"], ["g4"], []]},
        ),
        taps=("[data-testid=propose]",),
    ),
}
# Where something is in the way of playing. Last are those for which the page is opened anew.
AGO = ({"e": "away", "seat": 2},)
TROUBLES = {
    f"closed-{code}": Scene(table(), then=({"t": "closed", "code": code},))
    for code in ("removed", "left", "table_closed", "bad_hello", "too_many", "replaced")
} | {
    "resting": Scene(table(), PLAYED, then=({"t": "notice", "code": "resting"},)),
    "disk": Scene(table(), PLAYED, then=({"t": "notice", "code": "disk"},)),
    "held-up": Scene(table(paused=["countdown"], legal=None) | {"resume": 2.5}, AGO),
    "reconnecting": Scene(table(), PLAYED, lost=Lost(4)),
    "cut-off-blocked": Scene(table(), PLAYED, lost=Lost(21)),
    "cut-off-offline": Scene(table(), PLAYED, lost=Lost(21, "offline")),
    "cut-off-stopped": Scene(lobby(3), lost=Lost(21, "stopped")),
    "cut-off-unreachable": Scene(over(), lost=Lost(21, "unreachable")),
    "cut-off-link": Scene(table(), PLAYED, item("link"), lost=Lost(4, "stopped")),
}
NOWHERE = Address(fragment="", silent=True)
HALF = f"http://192.168.1.23:8770/#{CODE}.abc"
APART = {
    "no-link": Scene(at=NOWHERE),
    "half-a-link": Scene(
        taps=(f"#link := {HALF}", ".panel form button[type=submit]"),
        at=NOWHERE,
    ),
    "still-ana": Scene(OUTSIDE, host=False, at=Address("known")),
    "seat-not-kept": Scene(OUTSIDE, host=False, at=Address("kept")),
    "no-way-in": Scene(at=Address("cut=unreachable", silent=True)),
    # A browser too old for data channels, where there is nothing else.
    "too-old": Scene(at=Address(fragment=f"peer=abcdefgh23456789&{FRAGMENT}", silent=True)),
    "old-browser": Scene(at=Address("old", silent=True)),
    "insecure-lobby": Scene(lobby(3), taps=("[data-testid=copy-link]",), at=Address("insecure")),
    "insecure-far": Scene(
        at=Address("insecure", f"peer=abcdefgh23456789&{FRAGMENT}", silent=True)
    ),
    "solo": Scene(at=Address("", "solo", silent=True)),
    "solo-insecure": Scene(at=Address("insecure", "solo", silent=True)),
    # After it the page can only be loaded again.
    "closed-version": Scene(
        table(), then=({"t": "closed", "code": "version"},), at=Address("other")
    ),
}
# Last, because its reason stays in sight for seconds.
WHY = {"why": Scene(table(), PLAYED, (card("r3"),))}
SCENES = ENTERING | LOBBIES | TABLES | ASKING | ENDINGS | TROUBLES | WHY | APART
