"""What a story in another browser than Chromium needs of it, whatever protocol drives that one."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from typing import Any


class DriverError(AssertionError):
    """The browser refused, or the page threw."""


class Window(ABC):
    """One window of one browser."""

    @abstractmethod
    def begin(self) -> None:
        """Opens it. Nothing else may be asked before."""

    @abstractmethod
    def goto(self, url: str) -> None: ...

    @abstractmethod
    def reload(self) -> None: ...

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """What comes of it: text, number, truth or ``None``."""

    @abstractmethod
    def press(self, test_id: str) -> None:
        """Waits for it and presses it."""

    def wait(self, selector: str, seconds: float = 60.0) -> None:
        """Until the page has that."""
        end = time.monotonic() + seconds
        while not self.evaluate(f"document.querySelector({json.dumps(selector)}) !== null"):
            if time.monotonic() > end:
                text = self.evaluate("document.body.innerText")
                raise DriverError(f"no {selector} within {seconds:.0f} s; the page says: {text}")
            time.sleep(0.1)

    def found(self, test_id: str) -> str:
        """The selector of what has that id, when it is there."""
        selector = f'[data-testid="{test_id}"]'
        self.wait(selector)
        return selector
