"""Predicts the errors on each rank of a program if one of them leaves, or makes another call: a
model of how collective calls meet, on lists of the ranks' calls."""

from __future__ import annotations

from dataclasses import dataclass

CLOSED = "it has closed the file"


@dataclass(frozen=True)
class Structural:
    """A call that all ranks must make, and that sends no message."""

    file: str
    what: str


@dataclass(frozen=True)
class Collective:
    file: str
    kind: str
    of: str = ""  # its object, in words
    how: str = ""
    then: str = ""  # what it adds to the structural calls

    @property
    def words(self) -> str:
        return f"{self.kind} of {self.of}" if self.of else self.kind


@dataclass(frozen=True)
class Alone:
    """What a rank creates independently, until a common flush."""

    file: str
    what: str


@dataclass(frozen=True)
class Leave:
    """The rank makes no further call of the file."""

    file: str
    why: str


Event = Structural | Collective | Alone | Leave


class Side:
    """The odd rank, or the others, which all act alike. `rank` is the lowest of them."""

    def __init__(self, rank: int, events: list[Event], goes_on: bool) -> None:
        self.rank, self.events, self.goes_on = rank, list(events), goes_on
        self.heard: list[str] = []
        self.knows: set[str] = set()  # files that have ended
        self.log: dict[str, list[str]] = {}  # structural calls since the last flush
        self.alone: dict[str, list[str]] = {}  # what it created independently since then
        self.at = 0

    def next(self) -> Collective | Leave | None:
        """Returns the next event that others can notice, after making structural calls before
        it."""
        while self.at < len(self.events):
            event = self.events[self.at]
            if isinstance(event, Collective | Leave):
                return event
            calls = self.log if isinstance(event, Structural) else self.alone
            calls.setdefault(event.file, []).append(event.what)
            self.at += 1
        return None

    def hears(self, error: str) -> None:
        """Notes an error. A rank that does not continue then leaves all its files."""
        self.heard.append(error)
        self.at = self.at + 1 if self.goes_on else len(self.events)


class Meeting:
    """The odd rank meets the others, call by call."""

    def __init__(self, odd: Side, others: Side) -> None:
        self.odd, self.others = odd, others
        self.over: dict[str, str] = {}  # files without any further call, and the reason
        # What the file has: structural calls, independent objects of the odd rank, and those of
        # each other rank.
        self.stored: dict[str, tuple[list[str], list[str], list[str]]] = {}

    def run(self) -> None:
        while self.step():
            pass

    def step(self) -> bool:
        for side in (self.odd, self.others):
            event = side.next()
            if isinstance(event, Leave):
                self.over.setdefault(event.file, f"rank {side.rank} left: {event.why}")
                side.at += 1
                return True
            if event is not None and event.file in self.over:
                self.tell(side, event)
                return True
        a, b = self.odd.next(), self.others.next()
        if a is None and b is None:
            return False
        assert isinstance(a, Collective) and isinstance(b, Collective) and a.file == b.file
        self.meet(a, b)
        return True

    def tell(self, side: Side, event: Collective) -> None:
        if event.kind == "close" and event.file in side.knows:
            side.at += 1
        else:
            side.knows.add(event.file)
            side.hears(f"{event.file}: {self.over[event.file]}")

    def meet(self, a: Collective, b: Collective) -> None:
        odd, others = self.odd, self.others
        (low, low_call), (high, high_call) = sorted(
            [(odd.rank, a), (others.rank, b)], key=lambda one: one[0]
        )
        if a.kind == b.kind and odd.log.get(a.file, []) != others.log.get(a.file, []):
            error = f"{a.file}: ranks made different structural calls"
        elif a.then != b.then and (a.kind, a.of) == (b.kind, b.of):
            error = f"{a.file}: {a.kind}: all ranks must pass equal arguments"
        elif a != b:
            error = (
                f"{a.file}: ranks made different collective calls: rank {low} called "
                f"{low_call.words}, rank {high} {high_call.words}"
            )
            if "close" in (a.kind, b.kind):
                if odd.log.get(a.file, []) == others.log.get(a.file, []):
                    self.store(a.file)
                self.over[a.file] = f"a rank has closed the file: {error}"
                for side in (odd, others):
                    side.knows.add(a.file)
        else:
            return self.agree(a)
        odd.hears(error)
        others.hears(error)
        return None

    def agree(self, call: Collective) -> None:
        for side in (self.odd, self.others):
            side.at += 1
            if call.then:
                side.log.setdefault(call.file, []).append(call.then)
        if call.kind in ("flush", "close"):
            self.store(call.file)

    def store(self, file: str) -> None:
        """Stores everything that was made in the file."""
        made = (self.odd.log, self.odd.alone, self.others.alone)
        stored = self.stored.setdefault(file, ([], [], []))
        for has, calls in zip(stored, made, strict=True):
            has.extend(calls.pop(file, []))
        self.others.log.pop(file, None)
