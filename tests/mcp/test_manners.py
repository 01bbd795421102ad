"""What an agent meets that knows the tools alone: its own words are understood, and every answer says what it means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

from plainbrain.errors import InputError, NotFound, Unreadable
from plainbrain.faces.mcp.refusals import explain
from tests.mcp.session import call, in_session, refused, text_of

PNPM, FRIDAY = "use-pnpm-for-all-workspace-commands", "deploys-stop-on-friday-noon"


async def encode(client: Client, title: str, **more: Any) -> dict[str, Any]:
    return await call(client, "brain_encode", title=title, body=f"Body of {title}", cortex="odd", type="fact", **more)


async def say(client: Client, tool: str, **given: Any) -> str:
    result = await client.call_tool(tool, given)
    assert not result.is_error, text_of(result)
    return text_of(result)


@pytest.mark.parametrize(
    ("error", "begins"),
    [
        (Unreadable("ops/broken.md:5: a key stands twice"), "ops/broken.md:5: a key"),
        (InputError("k must be a whole number"), "k must be"),
        (InputError("include_superseded must be true or false"), "include_superseded must"),
        (
            InputError("iPhone notes cannot be read", hint="brain doctor names them"),
            "iPhone notes cannot be read.\nTell the user: brain doctor",
        ),
        (InputError("there is no parameter 'x'", hint="send y"), "There is no parameter 'x'.\nSend y"),
        (NotFound("no memory 'x'"), "No memory 'x'."),
    ],
)
def test_only_words_of_ours_get_a_capital(error: Any, begins: str) -> None:
    assert explain(error).startswith(begins)


@pytest.mark.parametrize("query", ["", "   ", "*", "?!"])
def test_a_query_without_words_is_told_so(environment: dict[str, str], query: str) -> None:
    async def work(client: Client) -> None:
        said = await say(client, "brain_search", query=query)
        assert said.startswith("There are no words to look for")
        assert "Nothing stored" not in said
        data = await call(client, "brain_search", query=query)
        assert (data["hits"], data["total"]) == ([], 0)
        assert "no searchable words" in data["notes"][0]

    in_session(environment, work)


def test_past_the_end_is_said_everywhere(environment: dict[str, str]) -> None:
    async def work(client: Client) -> None:
        for tool, given in (
            ("brain_search", {"query": "pnpm"}),
            ("brain_list", {}),
            ("brain_list", {"cortex": "infra"}),
            ("brain_read", {"id": PNPM}),
        ):
            said = await say(client, tool, **given, offset=100_000)
            assert "Past the end: " in said, tool
            assert "Ask again with a smaller offset" in said

    in_session(environment, work)


def test_one_is_one(environment: dict[str, str], root: Path) -> None:
    async def work(client: Client) -> None:
        await encode(client, "Alone with marmalade")
        assert (await say(client, "brain_search", query="marmalade")).startswith("1 match, best first")
        assert (await say(client, "brain_list", cortex="odd")).startswith("1 note in odd,")
        assert "Past the end: 1 match in all" in await say(client, "brain_search", query="marmalade", offset=3)
        assert (await say(client, "brain_list")).startswith("1 note in 1 theme (cortex).")

    in_session({**environment, "BRAIN_DIR": str(root / "fresh")}, work)


@pytest.mark.parametrize(
    "links",
    [
        [{"id": PNPM, "rel": "caused_by"}, FRIDAY],
        [{"to": PNPM, "relation": "caused_by"}, {"id": FRIDAY}],
        [f"caused_by:[[{PNPM}]]", f"[[{FRIDAY}|when we deploy]]"],
        {"caused_by": PNPM, "relates_to": [FRIDAY]},
        [{"causedBy": PNPM}, f" {FRIDAY} "],
        f'[{{"id": "{PNPM}", "rel": "Caused-By"}}, "{FRIDAY}"]',
        f"CausedBy:{PNPM}, [[{FRIDAY}]]",
    ],
)
def test_links_are_understood_as_they_come(environment: dict[str, str], links: object) -> None:
    async def work(client: Client) -> None:
        kept = await encode(client, "With links", links=links)
        assert kept["links"] == [{"to": PNPM, "rel": "caused_by"}, {"to": FRIDAY, "rel": "relates_to"}]

    in_session(environment, work)


def test_what_is_no_link_is_refused(environment: dict[str, str]) -> None:
    async def work(client: Client) -> None:
        odd: list[list[Any]] = [[{"rel": "caused_by", "id": ""}], [5], [{"relates_to": {"a": 1}}], [[]]]
        note = {"title": "t", "body": "b", "cortex": "c", "type": "fact"}
        for links in odd:
            assert "A link is an id" in await refused(client, "brain_encode", **note, links=links)
        assert "The type is empty" in await refused(client, "brain_encode", **(note | {"type": " "}))

    in_session(environment, work)


@pytest.mark.parametrize("given", [[{"id": PNPM}], [f"[[{PNPM}]]"], f" {PNPM} ", {"id": PNPM}])
def test_what_is_superseded_is_named_as_it_comes(environment: dict[str, str], given: object) -> None:
    async def work(client: Client) -> None:
        kept = await encode(client, "Use bun from now on", supersedes=given)
        assert (await call(client, "brain_read", id=PNPM))["superseded_by"] == kept["id"]

    in_session(environment, work)


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("high", 0.95),
        ("Certain", 0.95),
        ("sure", 0.95),
        ("medium", 0.7),
        ("low", 0.4),
        ("guess", 0.4),
        ("a guess", 0.4),
    ],
)
def test_words_for_confidence_are_understood(environment: dict[str, str], word: str, number: float) -> None:
    async def work(client: Client) -> None:
        assert (await encode(client, "With a word", confidence=word))["confidence"] == number
        assert (await call(client, "brain_validate", id=PNPM, confidence=word))["confidence"] == number

    in_session(environment, work)


def test_superseding_needs_no_reason(environment: dict[str, str]) -> None:
    async def work(client: Client) -> None:
        new = (await encode(client, "Use bun from now on"))["id"]
        assert "no reason given" in await say(client, "brain_supersede", old=PNPM, new=new)
        assert "no reason" not in (await call(client, "brain_read", id=PNPM))["text"]

    in_session(environment, work)


@pytest.mark.parametrize("rel", ["DependsOn", "dependsOn", "depends-on", " Depends on "])
def test_a_relation_is_told_as_it_is_stored(environment: dict[str, str], rel: str) -> None:
    async def work(client: Client) -> None:
        other = (await encode(client, "Something else"))["id"]
        assert f"Linked {PNPM} depends_on {other}, and back" in await say(
            client, "brain_link", a=PNPM, b=other, rel=rel
        )
        again = await call(client, "brain_link", a=PNPM, b=other, rel=rel)
        assert (again["rel"], again["changed"]) == ("depends_on", False)
        assert {"to": PNPM, "rel": "required_by"} in (await call(client, "brain_read", id=other))["links"]

    in_session(environment, work)


def test_a_link_to_what_is_superseded_names_its_successor(environment: dict[str, str]) -> None:
    async def work(client: Client) -> None:
        new = (await encode(client, "Use bun from now on", supersedes=[PNPM]))["id"]
        linked = await call(client, "brain_link", a=FRIDAY, b=PNPM, rel="relates_to")
        assert linked["changed"]
        assert linked["notes"] == [
            f"mind that {PNPM} is superseded; {new} is in its place: link that one if it is meant"
        ]
        assert (await call(client, "brain_link", a=FRIDAY, b=new, rel="relates_to"))["notes"] == []

    in_session(environment, work)


def test_notes_that_cannot_be_read_are_named_with_the_reason(environment: dict[str, str], root: Path) -> None:
    for number in range(5):
        (root / "brain" / f"bad-{number}.md").write_bytes(b"---\ntitle: x\n---\n\xff\xfe bad\n")

    async def work(client: Client) -> None:
        for tool, given in (("brain_search", {"query": "pnpm"}), ("brain_list", {})):
            notes = (await call(client, tool, **given))["notes"]
            assert len(notes) == 4
            for number, note in enumerate(notes[:3]):
                assert note.startswith(f"could not be read: bad-{number}.md")
                assert "UTF-8" in note
            assert notes[3] == "and 2 more notes could not be read"
            assert "doctor" not in await say(client, tool, **given)

    in_session(environment, work)


@pytest.mark.parametrize("theme", ["Invoicing / PDF", "INVOICING/pdf/", "/invoicing/PDF", "invoicing/pdf"])
def test_themes_that_differ_in_case_alone_are_found(environment: dict[str, str], theme: str) -> None:
    async def work(client: Client) -> None:
        note = {"title": "Stamps", "body": "purple stamps", "type": "fact"}
        await call(client, "brain_encode", **note, cortex="invoicing/pdf")
        listed = await call(client, "brain_list", cortex=theme)
        assert (listed["cortex"], listed["total"]) == ("invoicing/pdf", 1)
        assert (await call(client, "brain_search", query="purple", cortex=theme))["total"] == 1
        assert (await call(client, "brain_search", query="purple", cortex=theme.split("/")[0] or "Invoicing"))[
            "total"
        ] == 1
        assert "There is no theme" not in await say(client, "brain_search", query="zebra", cortex=theme)

    in_session(environment, work)
