"""The host's console at 80x24, in lines and in JSON."""

import asyncio
import dataclasses
import io
import json
import re
from pathlib import Path

import pytest
import segno
from rich.cells import cell_len
from rich.console import Console

from penultima.engine.rules import PRESETS
from penultima.host import console
from penultima.host.console import ScreenVoice
from penultima.host.phrases import CATALOGUES, LANGUAGES, Phrases, language
from penultima.host.qr import qr
from penultima.host.reach import Way
from penultima.host.report import Player, Summary, changes, summary
from penultima.host.screen import Screen
from penultima.host.voices import JsonVoice, PlainVoice, Ready

PHONES = Path(__file__).parents[2] / "static" / "src" / "i18n"
LAN = "http://192.168.1.23:8765/#apr8te.kpr48uvycazh2yqf"
VPN = "http://10.8.0.2:8765/#apr8te.kpr48uvycazh2yqf"
KEY = ".c7azhhz79ecgrynrwwun6ecn"
READY = Ready((Way(LAN), Way(VPN)), LAN + KEY, "http://192.168.1.23:8765/mesa#apr8te.kpr48uvycazh2yqf", port=8765)
TABLE = Summary(
    title="Mesa de Ana",
    rules="classic stacking=same",
    phase="round",
    round=3,
    players=(
        Player(0, "Ana", 120, host=True),
        Player(1, "Beto", 37, "away"),
        Player(2, "Carla", 0, "hidden"),
        Player(3, "Kiwi", 250, bot="easy"),
    ),
)


def drawn(screen: Screen, width: int = 80, height: int = 24) -> list[str]:
    lines = screen.lines(width, height)
    assert len(lines) <= height
    assert all(line.cell_len <= width for line in lines)
    return [line.plain.rstrip() for line in lines]


def without_code(lines: list[str]) -> str:
    return "\n".join(re.sub(r"[█▀▄]", " ", line).rstrip() for line in lines)


def test_the_screen_in_spanish() -> None:
    assert without_code(drawn(Screen(Phrases("es"), READY, TABLE))) == """\
 Mesa de Ana · Clásico + stacking=same
                                       Escanea el código o abre el enlace

                                       Jugadores
                                       ● Ana ★                 120
                                       ○ Beto                   37 ausente
                                       ◐ Carla                   0 en otra app
                                       ● Kiwi                  250 bot

                                       Ronda 3










 http://192.168.1.23:8765/#apr8te.kpr48uvycazh2yqf
 Dirección 1 de 2 · Los teléfonos tienen que estar en la misma red Wi-Fi.
 ★ http://192.168.1.23:8765/#apr8te.kpr48uvycazh2yqf.c7azhhz79ecgrynrwwun6ecn
 ★ tu enlace, con él mandas · m pantalla compartida · n otra dirección · q salir"""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("people", [0, 1, 10])
def test_ten_players_and_the_code_fit_in_every_language(lang: str, people: int) -> None:
    players = tuple(Player(n, "W" * 20, 1999, "hidden", host=n == 0) for n in range(people))
    table = Summary(title="T" * 40, rules="r" * 90, phase="between", round=12, players=players)
    screen = Screen(Phrases(lang), READY, table, warnings=[Phrases(lang)("hint", port=8765)])
    lines = drawn(screen)
    assert len(lines) == 24 or people < 10
    assert sum("█" in line for line in lines) >= 14
    assert sum("W" * 20 in line for line in lines) == people
    text = "\n".join(lines)
    assert LAN in text
    assert LAN + KEY in text


def test_wide_names_leave_the_scores_below_one_another_and_who_left_is_not_listed() -> None:
    players = (
        Player(0, "安" * 20, 1999),
        Player(1, "👩‍👩‍👧‍👦" * 10, 7, "standin"),
        Player(2, "Carla", 250, "gone"),
        Player(3, "Ñandú", 0, "eliminated"),
        Player(4, "José", 12, "next", host=True),
    )
    lines = Screen(Phrases("es"), READY, Summary(phase="round", round=2, players=players)).lines()
    assert all(line.cell_len <= 80 for line in lines)
    shown = [each for line in lines if (each := re.search(r".*[●◐·] .*\d(?=$| \D*$)", line.plain))]
    assert len(shown) == 4
    assert len({cell_len(each[0]) for each in shown}) == 1
    text = "\n".join(line.plain for line in lines)
    assert "juega un bot" in text
    assert "Carla" not in text


def matrix(lines: list[str]) -> list[list[bool]]:
    """Back from half blocks to modules."""
    rows = []
    for line in lines:
        rows.append([cell in "█▀" for cell in line])
        rows.append([cell in "█▄" for cell in line])
    return rows


@pytest.mark.parametrize("url", [LAN, VPN, "https://uno.example.org/#abcdef.kpr48uvycazh2yqf"])
def test_the_code_is_the_link(url: str) -> None:
    code = qr(url, 18, 56, colour=True)
    shown = matrix([line.plain for line in code])
    expected = segno.make(url, error="l", micro=False, boost_error=False)
    margins = [
        [[bool(cell) for cell in row] for row in expected.matrix_iter(border=border)]
        for border in (4, 3, 2, 1)
    ]
    assert any(shown[: len(m)] == m for m in margins)
    assert all(line.style == "#000000 on #ffffff" for line in code)
    assert all(line.style == "reverse" for line in qr(url, 18, 56, colour=False))


def test_a_code_that_does_not_fit_is_left_out() -> None:
    assert qr(LAN, 10, 56, colour=True) == []
    lines = drawn(Screen(Phrases("en"), READY, TABLE), 60, 12)
    assert not any("█" in line for line in lines)
    assert any(LAN in line for line in lines)


def test_a_long_public_link_is_never_cut_off() -> None:
    url = "https://a-rather-long-name.of-a-tunnel.example.org/#apr8te.kpr48uvycazh2yqf"
    ready = Ready((Way(url, "public"), Way(LAN)), url + KEY, url, port=8765)
    lines = drawn(Screen(Phrases("es"), ready, TABLE))
    joined = "".join(line.strip(" ★") for line in lines)
    assert url + KEY in joined
    assert sum("█" in line for line in lines) >= 14


def test_n_shows_the_next_address_and_the_hosts_link_with_it() -> None:
    screen = Screen(Phrases("es"), READY)
    screen.next_address(READY)
    assert screen.url == VPN
    assert screen.host_url == VPN + KEY
    screen.next_address(READY)
    assert screen.url == LAN
    alone = Ready((Way(LAN),), LAN + KEY, LAN, port=8765)
    screen.next_address(alone)
    assert screen.url == LAN


WAYS = (
    Way("https://uno.example.org/#apr8te.kpr48uvycazh2yqf", "public"),
    Way("https://symantec-transferred-lock-revenues.trycloudflare.com/#apr8te.kpr48uvycazh2yqf", "tunnel", "cloudflared"),
    Way("https://amelie-workstation.pango-lin.ts.net/#apr8te.kpr48uvycazh2yqf", "sealed", "tailscale"),
    Way(LAN),
)  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_way_in_has_its_line_and_its_code(lang: str) -> None:
    ready = Ready(WAYS, WAYS[0].link + KEY, WAYS[0].link, port=8765)
    screen = Screen(Phrases(lang), ready, TABLE)
    say = Phrases(lang)
    words = [say("way_public"), say("way_tunnel", name="cloudflared"),
             say("way_sealed", name="tailscale"), say("same_wifi")]  # fmt: skip
    for number, (way, text) in enumerate(zip(WAYS, words, strict=True), 1):
        lines = drawn(screen)
        assert f" {say('other', i=number, of=4)} · {text}" in lines
        assert way.link in "".join(line.strip() for line in lines)
        assert sum("█" in line for line in lines) >= 14
        screen.next_address(ready)


def test_a_way_that_comes_later_is_shown_unless_another_was_chosen() -> None:
    screen = Screen(Phrases("en"), READY)
    more = Ready((WAYS[1], Way(LAN), Way(VPN)), WAYS[1].link + KEY, LAN, port=8765)
    screen.move(more)
    assert screen.guests_url == WAYS[1].link
    assert screen.host_url == WAYS[1].link + KEY
    screen.move(READY)
    assert screen.guests_url == LAN, "what is gone is not shown"
    screen.next_address(READY)
    screen.move(more)
    assert screen.guests_url == VPN, "the choice stays"


def test_without_network_and_without_client_it_says_so() -> None:
    local = "http://localhost:8765/#apr8te.kpr48uvycazh2yqf"
    text = "\n".join(drawn(Screen(Phrases("en"), Ready((Way(local, "local"),), local, local, port=8765))))
    assert "No network" in text
    text = "\n".join(drawn(Screen(Phrases("en"), Ready((Way(local, "local"),), local, local, port=8765, built=False))))
    assert "make client" in text


def test_the_hint_goes_when_somebody_has_come() -> None:
    hint = Phrases("en")("hint", port=READY.port)
    screen = Screen(Phrases("en"), READY, warnings=[hint])
    screen.take(Summary())
    assert hint in "\n".join(drawn(screen))
    screen.take(TABLE)
    assert hint not in "\n".join(drawn(screen))
    assert "Address 1 of 2" in "\n".join(drawn(screen))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("mesa", [False, True])
def test_every_key_stands_in_the_last_line(lang: str, mesa: bool) -> None:
    say = Phrases(lang)
    last = drawn(Screen(say, READY, TABLE, mesa=mesa))[-1]
    wanted = [say("key_guests" if mesa else "key_mesa"), say("key_other"), say("key_quit")]
    assert last == " · ".join([f" ★ {say('host')}", *wanted])


def test_m_shows_the_shared_screen_with_its_code_and_back() -> None:
    voice, out = a_screen("es")
    voice.ready(READY)
    voice.key("m")
    shown = last_drawn(out)
    assert READY.mesa_url in shown
    assert "Pantalla compartida: se ve la mesa, nunca una mano. · Dirección 1 de 2" in shown
    assert "m enlace de jugadores" in shown
    assert f"{LAN}{KEY}" in shown, "the host's own link stays what it is"
    voice.key("n")
    assert VPN.replace("/#", "/mesa#") in last_drawn(out)
    voice.key("m")
    assert VPN in last_drawn(out)
    voice.closed()


def test_the_code_is_that_of_the_link_that_is_shown() -> None:
    screen = Screen(Phrases("es"), READY, mesa=True)
    code = qr(READY.mesa_url, 19, 56, colour=True)
    assert [line.plain.rstrip() for line in code] == [
        line[: len(code[0])].rstrip() for line in drawn(screen)[1 : 1 + len(code)]
    ]


async def test_a_note_goes_after_a_while_and_a_warning_when_it_no_longer_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(console, "NOTE_SECONDS", 0.05)
    voice, out = a_screen("en")
    voice.ready(READY)
    say = Phrases("en")
    voice.note(say("disk_full"), holds=True)
    voice.note("something else")
    assert "something else" in last_drawn(out)
    await asyncio.sleep(0.2)
    assert "something else" not in last_drawn(out)
    assert "Cannot save" in last_drawn(out)
    voice.no_longer(say("disk_full"))
    voice.note(say("disk_again"))
    await asyncio.sleep(0.2)
    assert "Address 1 of 2" in last_drawn(out)
    voice.note("not yet over when all is")
    voice.closed()
    await asyncio.sleep(0.2)


def test_a_missing_page_hides_no_note() -> None:
    ready = dataclasses.replace(READY, built=False)
    text = "\n".join(drawn(Screen(Phrases("en"), ready, notes=["The match goes on."])))
    assert "make client" in text
    assert "The match goes on." in text


def a_screen(lang: str) -> tuple[ScreenVoice, io.StringIO]:
    out = io.StringIO()
    return ScreenVoice(
        Phrases(lang), Console(file=out, force_terminal=True, width=80, height=24)
    ), out


def last_drawn(out: io.StringIO) -> str:
    """What stands on the terminal since it was last drawn, without colours."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue())
    return plain.rpartition("\x1b[H")[2]


async def test_what_is_said_before_the_screen_stands_on_it_too() -> None:
    voice, out = a_screen("en")
    moved = Phrases("en")("port_moved", busy=8765, port=8766)
    voice.note(moved)
    voice.ready(READY)
    voice.closed()
    screen = out.getvalue().partition("\x1b[?1049h")[2].partition("\x1b[?1049l")[0]
    assert moved in screen


@pytest.mark.parametrize(
    ("lang", "nobody", "one", "both"),
    [
        ("es", "Partida terminada", "Ganó Ana", "Ganaron Ana, Carla"),
        ("pt-BR", "Partida terminada", "Ana ganhou", "Ana, Carla ganharam"),
        ("en", "The match is over", "Ana won", "Ana, Carla won"),
    ],
)
def test_who_won_is_said_on_the_screen_and_in_lines(
    lang: str, nobody: str, one: str, both: str
) -> None:
    for winners, said in ((), nobody), ((0,), one), ((0, 2), both):
        over = dataclasses.replace(TABLE, phase="over", winners=winners)
        assert said in without_code(drawn(Screen(Phrases(lang), READY, over)))
        out = io.StringIO()
        PlainVoice(out, Phrases(lang)).changed(over)
        assert said in out.getvalue().splitlines()


# ------------------------------------------------------------------------- lines and JSON


def test_plain_lines() -> None:
    out = io.StringIO()
    voice = PlainVoice(out, Phrases("es"))
    voice.ready(READY)
    voice.changed(TABLE)
    voice.closed()
    assert out.getvalue().splitlines() == [
        f"READY url={LAN}",
        f"READY url={VPN}",
        f"READY host_url={LAN}{KEY}",
        f"READY mesa_url={READY.mesa_url}",
        "Ana entró",
        "Beto entró",
        "Carla entró",
        "Kiwi entró",
        "Ronda 3",
        "Puntos: Ana 120, Beto 37, Carla 0, Kiwi 250",
        "Mesa cerrada.",
    ]


def test_json_lines() -> None:
    out = io.StringIO()
    voice = JsonVoice(out)
    voice.ready(READY)
    voice.changed(Summary(players=TABLE.players[:1]))
    voice.changed(TABLE)
    voice.closed()
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert events[0] == {
        "event": "ready",
        "url": LAN,
        "host_url": LAN + KEY,
        "mesa_url": READY.mesa_url,
        "port": 8765,
        "urls": [LAN, VPN],
        "ways": [{"kind": "wifi", "name": ""}] * 2,
        "resumed": False,
    }
    assert events[1] == {"event": "joined", "seat": 0, "name": "Ana"}
    assert {"event": "joined", "seat": 3, "name": "Kiwi", "bot": "easy"} in events
    assert {"event": "round", "round": 3} in events
    assert events[-1] == {"event": "closed"}


def test_ways_that_move_are_told_in_lines_and_in_json() -> None:
    moved = Ready(WAYS[1:2], WAYS[1].link + KEY, "https://m", port=8765)
    out = io.StringIO()
    PlainVoice(out, Phrases("es")).moved(moved)
    assert out.getvalue().splitlines() == [
        f"READY url={WAYS[1].link}", f"READY host_url={WAYS[1].link}{KEY}", "READY mesa_url=https://m"
    ]  # fmt: skip
    out = io.StringIO()
    JsonVoice(out).moved(moved)
    assert json.loads(out.getvalue()) == {
        "event": "moved", "url": WAYS[1].link, "host_url": WAYS[1].link + KEY, "mesa_url": "https://m",
        "urls": [WAYS[1].link], "ways": [{"kind": "tunnel", "name": "cloudflared"}],
    }  # fmt: skip


def kinds(before: Summary, after: Summary) -> list[str]:
    return [event["event"] for event in changes(before, after)]


def test_who_leaves_a_match_has_left_and_seats_that_close_up_are_no_news() -> None:
    ana, beto, carla = Player(0, "Ana"), Player(1, "Beto"), Player(2, "Carla")
    sitting = Summary(players=(ana, beto, carla))
    left = Summary(players=(ana, Player(1, "Beto", state="gone"), carla))
    assert changes(sitting, left) == [{"event": "left", "seat": 1, "name": "Beto"}]
    assert changes(left, Summary(players=(ana, Player(1, "Carla")))) == []


def test_what_changed() -> None:
    ana, beto = Player(0, "Ana"), Player(1, "Beto")
    both = Summary(players=(ana, beto))
    assert kinds(both, both) == []
    assert kinds(both, Summary(players=(ana,))) == ["left"]
    assert kinds(both, Summary(players=(ana, Player(1, "Carla")))) == ["left", "joined"]
    away = Summary(players=(ana, Player(1, "Beto", state="away")))
    assert kinds(both, away) == ["away"]
    assert kinds(away, both) == ["back"]
    round_ = Summary(players=both.players, phase="round", round=1)
    assert kinds(both, round_) == ["round"]
    between = Summary(players=(ana, Player(1, "Beto", 40)), phase="between", round=1)
    assert kinds(round_, between) == ["round_over", "scores"]
    over = Summary(players=between.players, phase="over", round=1, winners=(1,))
    assert changes(between, over) == [{"event": "match_over", "winners": ["Beto"]}]
    carla = Player(2, "Carla", state="next")
    assert kinds(between, dataclasses.replace(between, players=(*between.players, carla))) == ["joined"]
    late = dataclasses.replace(carla, score=40)
    assert kinds(between, dataclasses.replace(between, players=(*between.players, late))) == ["joined", "scores"]
    paused = Summary(players=both.players, phase="round", round=1, paused=True)
    assert kinds(round_, paused) == ["paused"]
    assert kinds(paused, round_) == ["resumed"]


async def test_the_summary_is_what_a_table_tells() -> None:
    from penultima.table import Table

    table = Table("aaaaaa", "s" * 16, "h" * 24, seed=bytes(32), now=0.0, title="La mesa")
    conn = table.connect(0.0)
    table.receive(conn, {"t": "hello", "v": 1, "secret": "s" * 16, "host": "h" * 24}, 0.0)
    table.receive(conn, {"t": "sit", "n": 1, "name": "Ana"}, 0.0)
    told = summary(table.console())
    assert told.players == (Player(0, "Ana", host=True),)
    assert (told.title, told.rules, told.phase) == ("La mesa", "classic", "lobby")


# ------------------------------------------------------------------------------ languages


def test_every_phrase_stands_in_every_language() -> None:
    spanish = CATALOGUES["es"]
    for lang, catalogue in CATALOGUES.items():
        assert catalogue.keys() == spanish.keys(), lang
        for key, text in catalogue.items():
            wanted = set(re.findall(r"{(\w+)}", spanish[key]))
            assert set(re.findall(r"{(\w+)}", text)) == wanted, (lang, key)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_preset_is_called_as_on_the_phones(lang: str) -> None:
    phones = PHONES.joinpath(f"{lang}.ts").read_text(encoding="utf-8")
    called = dict(re.findall(r'"preset\.(\w+)": "(.*)"', phones))
    assert called.keys() == PRESETS.keys()
    for preset, name in called.items():
        head = Screen(Phrases(lang), READY, Summary(rules=preset)).lines()[0].plain
        assert head.endswith(f" · {name}")


def test_every_phrase_is_said_somewhere() -> None:
    folder = Path(console.__file__).parent
    sources = [*folder.glob("*.py"), folder / "phrases" / "__init__.py"]
    source = "".join(path.read_text(encoding="utf-8") for path in sources)
    for key in CATALOGUES["es"]:
        assert f'"{key}"' in source or f"'{key}'" in source, key


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "es_CL.UTF-8"}, "es"),
        ({"LANG": "pt_BR.UTF-8"}, "pt-BR"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "es_MX"}, "es"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_of_the_system(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language() == expected
    assert language("pt-BR") == "pt-BR"
