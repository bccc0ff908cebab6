"""Reads the marks @collective, @replicated and @independent of public calls from headers of C and
C++. A call has the marks of its comment. A call without a comment has those of the call before it.
A call whose comment has no mark has that of its class, its header or its section, if the comment
there ends with a mark, or says that functions are so marked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MARK = re.compile(r"@(collective|replicated|independent)\b")
FOR_ALL = re.compile(r"\bfunctions [^.]*@(\w+)|@(\w+)$")
CALL = re.compile(r"^[\w\[\]:<>,&*\s]*?[\w>&*\]]\s+[&*]*(\w+)\(")
NO_CALL = re.compile(r"^(?:friend|using|enum|static_assert|#|explicit|typedef|return)\b|operator")


@dataclass
class Scope:
    """A class, a namespace or a header."""

    name: str
    indent: int
    is_public: bool
    mark: set[str] = field(default_factory=set)


def marks(comment: str) -> set[str]:
    return set(MARK.findall(comment))


def mark_for_all(comment: str) -> set[str]:
    found = {a or b for a, b in FOR_ALL.findall(comment)}
    return found if len(found) == 1 else set()


def declarations(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Yields each line or declaration: indentation, text, and the comment before it, or None."""
    comment: list[str] = []
    lines = iter(text.splitlines())
    for line in lines:
        code = line.strip()
        if re.match(r"///?(?!<)", code):
            if "NOLINT" not in code:
                comment.append(code.lstrip("/ "))
            continue
        if not code:
            # A comment that belongs to no declaration, such as that of a section.
            if comment:
                yield 0, "", " ".join(comment)
            comment = []
            continue
        indent = len(line) - len(line.lstrip())
        if code.startswith(("template", "requires")):
            continue
        code = re.sub(r"\s*//.*", "", code)
        while not re.search(r"[;{}:]$|^#|^[A-Z_]+$", code):
            code += " " + re.sub(r"\s*//.*", "", next(lines, ";").strip())
        yield indent, code, " ".join(comment) if comment else None
        comment = []


def calls(text: str, is_c: bool) -> Iterator[tuple[str, set[str]]]:
    """Yields each public call of a header with its marks."""
    scopes = [Scope("", 0, True)]
    before: set[str] | None = None
    skipped = 0  # braces that are open in a body, or in a namespace that is not public
    for indent, code, comment in declarations(text):
        if skipped:
            skipped += code.count("{") - code.count("}")
            continue
        scope = scopes[-1]
        own = comment or ""
        if code == "":
            if mark := mark_for_all(own):
                scopes[0].mark = mark
            before = None
        elif code.startswith("namespace onecast {"):
            scopes[0].mark = mark_for_all(own)
        elif code.startswith("namespace ") and code.endswith("{"):
            skipped = 1
        elif found := re.match(r"(class|struct) (\w+)[^;]*\{$", code):
            mark = mark_for_all(own) or scope.mark
            scopes.append(Scope(found[2], indent, found[1] == "struct", mark))
            before = None
        elif code.startswith("}") and len(scopes) > 1 and indent == scope.indent:
            scopes.pop()
            before = None
        elif found := re.fullmatch(r"(public|private|protected):", code):
            scope.is_public = found[1] == "public"
        else:
            found = CALL.match(code)
            head = code.partition("(")[0]
            is_call = found and not NO_CALL.search(head) and "=" not in head and "~" not in head
            if is_c:
                is_call = is_call and code.startswith("ONECAST_API")
                if not is_call and (mark := mark_for_all(own)):
                    scopes[0].mark = mark
            if is_call and scope.is_public and not re.search(r"= (?:default|delete);$", code):
                mine = marks(own) or (before if comment is None and before else scope.mark)
                yield f"{scope.name}::{found[1]}".removeprefix("::"), mine
                before = mine
            elif not is_call and comment is not None:
                before = None
            if code.endswith("{") and not code.startswith("extern"):
                skipped = 1
