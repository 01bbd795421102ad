"""Reading edits from what a person or a tool gave: the parts that a face must not decide."""

from __future__ import annotations

from collections.abc import Sequence

from plainbrain.errors import InvalidField
from plainbrain.lifecycle.edits import Append, ClearField, Edit, ReplaceBody, ReplaceSection, ReplaceText, SetField


def edits_of(
    *,
    append: Sequence[str] = (),
    replace: Sequence[tuple[str, str]] = (),
    section: Sequence[tuple[str, str]] = (),
    body: str | None = None,
    sets: Sequence[str] = (),
    clear: Sequence[str] = (),
) -> list[Edit]:
    """Return the edits in the order: body, replacements, sections, paragraphs, fields. ``sets`` are ``field=value``."""
    edits: list[Edit] = [] if body is None else [ReplaceBody(body)]
    edits += [ReplaceText(old, new) for old, new in replace]
    edits += [ReplaceSection(heading, text) for heading, text in section]
    edits += [Append(text) for text in append]
    for given in sets:
        field, equals, value = given.partition("=")
        if not equals:
            raise InvalidField(f"{given!r} sets nothing", value=given, hint="write --set field=value")
        edits.append(SetField(field, value))
    edits += [ClearField(field) for field in clear]
    return edits
