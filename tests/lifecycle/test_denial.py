"""What a text turns down itself is no veto; whatever might still bring it in is one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.lifecycle.veto import find_vetoes
from plainbrain.model.links import SUPERSEDES, Link
from plainbrain.model.memory import Memory, Rejected

DECISION = Memory("d", "Use SQLite", kind="decision", rejected=(Rejected("Redis", "a daemon"),))

DENIED = [
    "We will NOT use Redis.",
    "we don't use Redis here",
    "We won\u2019t add Redis",
    "Never use Redis again.",
    "Build the cache without Redis",
    "Postgres instead of Redis",
    "Instead of Redis we use a table",
    "instead of using Redis, use a table",
    "a table rather than Redis",
    "Drop Redis",
    "drop Redis and keep the table",
    "remove the last traces of Redis",
    "remove the remaining usages of Redis",
    "Remove the Redis",
    "replace Redis with Postgres",
    "swap Redis for Postgres",
    "Get rid of Redis.",
    "stop using Redis",
    "migrate from Redis to Postgres",
    "No Redis, please",
    "no Kafka or Redis",
    "neither Kafka nor Redis",
    "We do not want to go with Redis because of the daemon",
    "avoid Redis; use SQLite",
    "Wir verwenden kein Redis",
    "Postgres statt Redis",
    "un cache sans Redis",
    "Postgres (not Redis)",
    "not `Redis`",
    "we do not\nuse Redis",
    "No Redis please",
    "without Redis",
    "Without Redis.",
    "ohne Redis",
    "- without Redis\n- fast",
    "Redis is not an option",
    "Redis is off the table",
    "Redis stays out",
    "Redis isn\u2019t an option",
    "Redis is out",
    "Redis is out, so use a table",
    "Redis is ruled out because of the daemon",
    "Redis ist keine Option",
    "As decided, Redis is out of the question",
    "We decided against Redis",
    "we ruled out Redis",
    "Why do we not use Redis?",
    "Why did we decide against Redis?",
    "Why did we reject Redis",
    "Why was Redis rejected?",
    "No Redis, no Celery, as decided",
]
BROUGHT_IN = [
    "Use Redis",
    "Let us not forget to add Redis",
    "not only Redis but Kafka",
    "Why not use Redis?",
    "Why don't we use Redis",
    "Why don't we use Redis?",
    "Shouldn't we use Redis?",
    "should we not use Redis",
    "We don't use Kafka, use Redis",
    "instead of Kafka use Redis",
    "Replace Postgres with Redis",
    "replace Redis 5 with Redis 7",
    "swap Postgres for Redis",
    "migrate from Postgres to Redis",
    "do not use Redis until version 2",
    "never use Redis without a TTL",
    "do not avoid Redis",
    "There is no reason not to use Redis",
    "we cannot avoid Redis",
    "no need to stop using Redis",
    "drop Redis timeouts to 5 s",
    "remove Redis key prefixes",
    "don't use Redis, use Redis",
    "not sure, Redis",
    "if not Redis then what",
    "No. Redis is fine",
    "not\n\nRedis it is",
    "without Postgres, Redis",
    "nothing beats Redis",
    "we have no Redis, and it shows",
    "there is no Redis here",
    "Without Redis, it is slow",
    "it is slow without Redis",
    "this is impossible without Redis",
    "we need Kafka, or not Redis but Redis Streams",
    "we do not\n- Redis",
    "we do not\n2. Redis",
    "do not remove Redis",
    "never drop Redis",
    "not Kafka, Redis",
    "no problem with Redis",
    "Redis, not Postgres",
    "avoid Kafka with Redis",
    "There is no reason to avoid Redis",
    "Not only Redis but also Kafka",
    "Use Redis, not Postgres",
    "Replace the table by Redis",
    "Without Redis: slow",
    "Redis is out of memory",
    "Redis 8 is out, upgrade to it",
    "Redis is out now",
    "Redis is not an option that we have looked at",
    "if Redis is not an option, use Kafka",
    "nobody says that Redis is off the table, never",
    "I do not think Redis is out",
    "use Redis and Kafka is out",
    "Redis isn't out",
    "we have not decided against Redis",
    "Should we decide against Redis?",
    "test it against Redis",
    "Is Redis not an option?",
    "Is Redis out?",
    "Why would we not use Redis?",
    "Why can we not use Redis?",
    "Why do we not simply replace the table with Redis?",
    "Why do we use Kafka, not Redis?",
]


def veto(text: str) -> bool:
    """Tell whether the one alternative is denied; it must be found."""
    [found] = find_vetoes(text, [DECISION])
    return found.denied


@pytest.mark.parametrize("text", DENIED)
def test_what_the_text_turns_down_itself(text: str) -> None:
    assert veto(text)


@pytest.mark.parametrize("text", BROUGHT_IN)
def test_what_the_text_may_bring_in(text: str) -> None:
    assert not veto(text)


_WORDS = "not no use Redis Kafka we , . ? to with drop instead of why or and until the never without"
WORDS = st.sampled_from(_WORDS.split())


@given(st.lists(WORDS, max_size=14), st.lists(WORDS, max_size=8))
@settings(max_examples=200, deadline=None)
def test_one_plain_use_anywhere_is_a_veto(before: list[str], after: list[str]) -> None:
    text = " ".join([*before, ". We will use Redis now.", *after])
    assert not veto(text)


@given(st.text(alphabet="not use Redis.,?!\n(’ `", max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_text_is_judged(text: str) -> None:
    assert len(find_vetoes(text + " Redis", [DECISION])) == 1


def test_a_long_text_takes_no_long_time() -> None:
    assert not veto("not use " * 50_000 + "Redis or " * 3_000 + "use Redis")
    assert not veto("no Redis, " * 2_000 + "use Redis")


@pytest.mark.parametrize(
    ("title", "stands"), [("Redis Streams for the queue", False), ("Kafka rather than Redis Streams", True)]
)
def test_a_successor_that_only_says_no_adopts_nothing(title: str, stands: bool) -> None:
    old = Memory("old", "A table", rejected=(Rejected("Redis Streams"),), status="superseded")
    new = Memory("new", "x", title=title, links=(Link("old", SUPERSEDES),))
    assert bool(find_vetoes("use Redis Streams", [old, new])) is stands
