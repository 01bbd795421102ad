"""Which words of a text name an option, and which only look like it."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plainbrain.evaluation.cases import load_vetoes
from plainbrain.lifecycle.naming import Passage, find_option
from plainbrain.lifecycle.options import ways_of

NAMED = [
    # a name of two characters
    *(
        ("Go", text)
        for text in (
            "rewrite the backend in Go",
            "use Go for the backend",
            "write it in Go 1.22",
            "Go",
            "golang",
            "write it in go",
            "go 1.22",
            "let us switch to Go.",
            "a Go service",
            "Golang it is",
        )
    ),
    ("go", "use Go for the backend"),
    ("golang", "a backend in Go"),
    ("Go / Rust", "write it in Go"),
    ("C#", "write it in C#"),
    ("S3", "put the files into S3"),
    ("Kubernetes", "run it in k8s"),
    # words that belong together, in any order, within a sentence
    ("Redis with Celery", "Add Redis as a cache and Celery as the job queue"),
    ("Redis with Celery", "Celery and Redis"),
    ("Redis with Celery", "Redis/Celery"),
    ("Postgres sequence", "use sequences in Postgres"),
    ("SQLAlchemy ORM", "an ORM such as SQLAlchemy"),
    ("feature flags in config files", "read the feature flags from a config file"),
    ("in-process cache", "cache the prices in process"),
    # alternatives in one option
    ("headless Chrome / Puppeteer", "run headless Chrome"),
    ("headless Chrome / Puppeteer", "use Puppeteer"),
    ("Redis, Kafka and NATS", "add NATS"),
    ("Redis or Memcached", "use memcached"),
    ("either Redis or Kafka", "use redis"),
    ("MySQL or Postgres cluster", "take MySQL"),
    ("weekly or monthly releases", "make the releases weekly"),
    ("Redis/Celery", "use Celery"),
    ("npm/yarn", "use yarn"),
    ("JSON Web Tokens (JWT)", "use jwts"),
    ("JSON Web Tokens (JWT)", "a JSON web token"),
    # number, time, hyphens
    ("JWT", "store jwts"),
    ("UUIDs", "a uuid column"),
    ("Microservices", "split it into a microservice"),
    ("WebSockets", "use a websocket"),
    ("polling", "poll the API each minute"),
    ("in-process cache", "in-process caching"),
    ("Self-hosted Postfix", "Selfhosted Postfix"),
    ("Selfhosted Postfix", "Postfix, self-hosted"),
    ("auto-increment", "auto\u2011increment ids"),
    ("e-mail", "send an email"),
    ("localStorage", "keep it in local storage"),
    ("Elasticsearch", "use Elastic Search"),
    ("C++", "a C++20 build"),
    # what stands around an option
    ("Using Redis", "add Redis"),
    ("Kafka - heavy", "add Kafka"),
    ("**Kafka**", "add Kafka"),
    ("Kafka (too heavy)", "add Kafka"),
    # names in lower case
    ("React", "use react hooks"),
    ("React", "migrate to react"),
    ("React", "port react to vue"),
    ("React", "what can react do here"),
    # other names of the same, and names that are ordinary words where there is evidence
    ("MongoDB", "put it in Mongo"),
    ("PostgreSQL", "use postgres"),
    ("Redux", "npm install @reduxjs/toolkit"),
    ("REST", "add a REST endpoint"),
    ("REST", "add a rest endpoint"),
    ("REST", "use rest for the public part"),
    ("Spring", "port it to Spring"),
]
NOT_NAMED = [
    # "go" as everybody says it
    *(
        (option, text)
        for option in ("Go", "go", "golang", "Go / Rust")
        for text in (
            "let us go ahead",
            "go on",
            "Go on.",
            "go",
            "Go ahead, and go to the next page",
            "Fine. Go for it",
            "GO ON",
            "we go with Redis",
            "ready to Go live",
            "go rewrite the parser",
            "here we go again",
            "good to go",
        )
    ),
    ("Go services", "let services go down"),
    ("REST", "the rest of the code can stay"),
    ("REST", "Rest of the work is done"),
    ("Spring", "we ship it in spring"),
    ("Less", "with less effort"),
    ("Redis with Celery", "use Redis"),
    ("Redis with Celery", "Use Redis. Celery is old"),
    ("Redis 5", "Redis 7"),
    ("weekly or monthly releases", "a weekly meeting"),
    ("client/server", "restart the server"),
    ("exceptions for control flow", "handle the exceptions"),
    ("exceptions", "no files except README"),
    ("generators", "generate code"),
    ("Tailwind", "tailwinds delayed the flight"),
    ("Windows", "a window function"),
    ("FastAPI", "a fast API"),
    ("NoSQL", "no SQL in templates"),
    ("SES", "se"),
    ("Redis", "redisson, my_redis_client"),
    ("Node.js", "node"),
    ("C bindings", "C++ bindings"),
    ("Go", "go on"),
    ("Redis or something like it", "something like it"),
    ("AWS Lambda", "lambdas in Python"),
    ("React", "We react fast"),
    ("React", "users will react"),
    ("React", "handlers to react to clicks"),
    (
        "manual review",
        "review the pull request of the new team, and mind that what it says of the release is in the manual",
    ),
]


@pytest.mark.parametrize(("option", "text"), NAMED)
def test_an_option_is_named(option: str, text: str) -> None:
    assert find_option(text, option) >= 0


@pytest.mark.parametrize(("option", "text"), NOT_NAMED)
def test_an_option_is_not_named(option: str, text: str) -> None:
    assert find_option(text, option) == -1


@pytest.mark.parametrize(
    ("option", "text", "words"),
    [
        ("SQLAlchemy ORM", "add sqlalchemy", ["SQLAlchemy"]),
        ("SQLAlchemy ORM", "add an ORM", []),
        ("Redis with Celery", "put it in redis", ["Redis"]),
        ("AWS Lambda", "a job on Lambda", ["Lambda"]),
        ("AWS Lambda", "lambdas in Python", []),
        ("Make targets", "make it so", []),
        ("Temporal workflows", "Temporal coupling is bad", []),
        ("Redis", "use Redis", []),
    ],
)
def test_a_telling_word_of_an_option(option: str, text: str, words: list[str]) -> None:
    assert [word for word, _ in Passage(text).partly(option)] == words


def test_the_labelled_list() -> None:
    for case in load_vetoes().matches:
        assert (find_option(case.text, case.option) >= 0) is case.hit, case


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Use Redis, not Celery", True),
        ("no Redis and no Celery", True),
        ("no Redis with Celery here", False),
        ("Use Redis with Celery", False),
        ("No Celery without Redis; add Celery to Redis", False),
    ],
)
def test_words_that_belong_together_are_denied_when_one_is(text: str, denied: bool) -> None:
    passage = Passage(text)
    namings = passage.namings("Celery & Redis")
    assert namings
    assert all(map(passage.denies, namings)) is denied


WORDS = "Redis redis-py self hosted self-hosted Selfhosted caches caching try tries key keys Größe größen 用Redis C++ e-mail email / or , with - ( )"
TEXTS = st.lists(st.sampled_from(WORDS.split()), max_size=6).map(" ".join)


@example("e-mail", "email")
@given(TEXTS | st.text(max_size=30), TEXTS | st.text(max_size=12))
@settings(max_examples=300, deadline=None)
def test_the_quick_look_passes_over_nothing(text: str, option: str) -> None:
    class Slow(Passage):
        def _may_name(self, option: str) -> bool:
            return True

    quick, slow = Passage(text), Slow(text)
    assert quick.namings(option) == slow.namings(option)
    assert quick.partly(option) == slow.partly(option)
    for naming in quick.namings(option):
        assert naming.at >= 0
        quick.denies(naming)


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_option_is_read(option: str) -> None:
    assert all(way.phrase for way in ways_of(option))


def test_a_long_text_takes_no_long_time() -> None:
    text = "use Redis and self-hosted Celery, not Kafka. " * 3_000
    assert len(Passage(text).namings("Redis with Celery")) == 3_000
    assert find_option("process the cache in process a cache " * 3_000, "in-process cache") >= 0
    assert find_option("Redis with Celery and Celery with Redis " * 3_000, "Redis with Celery") == 0
    assert find_option("- " * 50_000, "a-b " * 10_000) == -1
