"""What changed at the table since the console last looked: pure, for all three kinds of console.

`Summary` is the console's idea of a table, and that of every list of tables. It holds no card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat. `state`: here, away, hidden, standin, out, eliminated, gone (has left;
    only the score is still there), next."""

    seat: int
    name: str
    score: int = 0
    state: str = "here"
    bot: str | None = None
    host: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """A table as the host's console shows it."""

    title: str = ""
    rules: str = ""
    phase: str = "lobby"
    round: int = 0
    turn: int | None = None
    paused: bool = False
    players: tuple[Player, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def here(self) -> tuple[Player, ...]:
        """Without those who have left."""
        return tuple(player for player in self.players if player.state != "gone")

    def player(self, seat: int | None) -> Player | None:
        return next((player for player in self.players if player.seat == seat), None)


def summary(told: dict[str, Any]) -> Summary:
    """From what `Table.console()` tells."""
    players = tuple(
        Player(
            seat=each["seat"],
            name=each["name"],
            score=each.get("score") or 0,
            state=each.get("state") or "here",
            bot=each.get("bot"),
            host=bool(each.get("host")),
        )
        for each in told.get("players") or ()
    )
    return Summary(
        title=told.get("title") or "",
        rules=str(told.get("rules") or ""),
        phase=told.get("phase") or "lobby",
        round=told.get("round") or 0,
        turn=told.get("turn"),
        paused=bool(told.get("paused")),
        players=players,
        winners=tuple(told.get("winners") or ()),
    )


def changes(before: Summary, after: Summary) -> list[dict[str, Any]]:
    """One event for each thing that a host would want to be told."""
    events: list[dict[str, Any]] = []
    # By name, which is one person's at a table: a match's beginning closes the seats up.
    was = {player.name: player for player in before.here}
    now = {player.name: player for player in after.here}
    for name, player in was.items():
        if name not in now:
            events.append(_about("left", player))
    for name, player in now.items():
        old = was.get(name)
        if old is None:
            bot = {"bot": player.bot} if player.bot else {}
            events.append({**_about("joined", player), **bot})
        elif old.state != player.state:
            if player.state == "away":
                events.append(_about("away", player))
            elif old.state in {"away", "standin"} and player.state in {"here", "hidden"}:
                events.append(_about("back", player))
            elif player.state in {"out", "eliminated"}:
                events.append(_about("out", player))
    if after.phase != before.phase or after.round != before.round:
        if after.phase == "round":
            events.append({"event": "round", "round": after.round})
        elif after.phase == "between":
            events.append({"event": "round_over", "round": after.round})
        elif after.phase == "over":
            names = [player.name for player in after.players if player.seat in after.winners]
            events.append({"event": "match_over", "winners": names})
        elif after.phase == "lobby":
            events.append({"event": "lobby"})
    # A new match begins with nothing, and so does whoever comes: no news of that.
    scores = {name: player.score for name, player in now.items()}
    old_scores = {name: was[name].score if name in was else 0 for name in now}
    if after.phase != "lobby" and scores != old_scores and any(scores.values()):
        events.append({"event": "scores", "scores": scores})
    if after.paused != before.paused:
        events.append({"event": "paused" if after.paused else "resumed"})
    return events


def _about(event: str, player: Player) -> dict[str, Any]:
    return {"event": event, "seat": player.seat, "name": player.name}
