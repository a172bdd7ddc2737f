"""What all messages have in common, and the plain values they are made of."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

VERSION: Final = 1
"""Of the protocol (docs/protocol.md)."""

LARGEST: Final = 2**31 - 1


class Message(BaseModel):
    """Exactly the fields that stand here, exactly of these types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


Colour: TypeAlias = Literal["r", "y", "g", "b"]
Phase: TypeAlias = Literal["lobby", "round", "between", "over"]
Wait: TypeAlias = Literal["free", "drawn", "answer", "colour", "over"]
Presence: TypeAlias = Literal["away", "hidden", "standin", "out", "eliminated", "gone", "next"]
Level: TypeAlias = Literal["easy", "normal", "hard", "random"]

Number: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST)]
"""A sender's own number of a request."""
Seq: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST)]
HeldSeq: TypeAlias = Annotated[int, Field(ge=-1, le=LARGEST)]
"""The newest ``seq`` that a page holds; -1 before the first."""
Seat: TypeAlias = Annotated[int, Field(ge=0, le=99)]
Beat: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST)]
Secret: TypeAlias = Annotated[str, Field(max_length=64)]
Id: TypeAlias = Annotated[str, Field(min_length=1, max_length=64)]
Sdp: TypeAlias = Annotated[str, Field(max_length=16 * 1024)]
Code: TypeAlias = Annotated[str, Field(pattern=r"^[a-z_]{2,20}$")]
Word: TypeAlias = Annotated[str, Field(max_length=40)]
Json: TypeAlias = Any
"""Anything JSON can say; whoever reads it looks closer."""
