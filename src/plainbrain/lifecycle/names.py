"""Words that options are made of: names of tools, names that are everyday words as well, and words that tell nothing.

Owns the lists, and nothing else.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from plainbrain.later import later

if TYPE_CHECKING:
    from plainbrain.lifecycle.conflicts import values
else:
    values = later("plainbrain.lifecycle.conflicts.values")


def _set(*words: str) -> frozenset[str]:
    return frozenset(" ".join(words).split())


#: Words of an option that do not tell which option it is.
SLIGHT = _set(
    "a an the and or with for of to in on at by as via per from into onto over than then that this our own its is are be it we not no so "
    "all any each every one just only also vs plus instead using through within inside behind under between & + "
    "der die das ein eine einen mit für von zu im in auf aus und oder als le la les un une des de du avec pour dans et ou el los con para y o"
)
#: What begins with one of these is no alternative of its own, but says more of the one before.
STARTS_NO_OPTION = SLIGHT - _set("a an the our own one no") | _set(
    "because since which who where when while if but even without against due unless until after before like such same similar "
    "something anything whatever etc etc. others other both too very weil da obwohl"
)
#: Words of taking something up that may stand before an option: "using Redis", "switch to Kafka".
_USED = _set(
    "use using used adopt adopting add adding introduce introducing take taking pick picking choose choosing switch switching move moving "
    "migrate migrating go going with to a an the our on employ run running store storing keep keeping verwenden nutzen einsetzen"
)
#: Names that are verbs of every day as well.
VERBS = _set("react express rest flow spring jest rust render notion signal zoom parcel drone")
#: Known names that are also words of every day: in lower case they need not be meant.
_EVERYDAY = VERBS | _set(
    "make less black fish nose ava edge arch sketch linear emotion teams windows cursor atom chef puppet square drizzle objection hatch rye "
    "clerk coda meet warp hyper helix nano brave opera arc soap go lit ember solid phoenix gin ninja buck ant meson square elk sublime "
    "prettier bun karma shortcut trello slack discord signal conda pip prisma ecto galaxy pixel azure railway poetry uv gradle loki "
    "node temporal spark vault swift ruby backbone consul envoy git json yaml xml html css linux mac macos serverless monolith microservices"
)
#: Everyday words that a name in capitals is not meant by, but where words of using stand before them, or words of tools after.
ORDINARY = _set(
    "rest spring flow less make square black arc edge arch meet teams linear emotion notion signal render fish"
)
#: Words by which an ordinary word is a name all the same: before it, and after it.
TAKEN_UP = _set("use using used adopt adopting introduce introducing via")
OF_TOOLS = _set(
    "api apis endpoint endpoints framework boot server client app apps sdk cli library service services hooks css plugin"
)
#: Short names of tools; a longer name than the one that was turned down may be something else.
_SHORT_NAMES = {
    "mongodb": "mongo", "postgresql": "postgres", "kubernetes": "k8s", "elasticsearch": "elastic", "influxdb": "influx",
    "dynamodb": "dynamo", "scylladb": "scylla", "timescaledb": "timescale", "golang": "go",
}  # fmt: skip
#: A name that is an everyday verb far more often: the words right before it, after it, and of going that are none of it.
GO = "go"
LEADS_TO_GO = _set("in using use used uses adopt adopting introduce introducing learn prefer choose pick")
FOLLOWS_GO = OF_TOOLS | _set("backend binary module modules routine routines compiler toolchain microservice")
GOING = _set("ahead on live back to through down away out up off home")
#: Kinds of things in the list of values whose names are names of tools.
_LAST_KIND = "branching:"
_MORE = _set(
    "redis node celery sidekiq resque puppeteer playwright docker podman nginx apache caddy haproxy envoy istio consul etcd vault kong neo4j "
    "influxdb timescaledb supabase firebase pocketbase hasura graphql websocket javascript typescript python java kotlin swift ruby golang "
    "php perl scala elixir erlang haskell clojure c++ c# .net moment.js lodash jquery backbone svn airflow dagster luigi prefect spark hadoop "
    "flink temporal tensorflow pytorch keras langchain openai ollama sqlmodel alembic pydantic postfix sendgrid mailgun twilio"
)


@cache
def _known() -> frozenset[str]:
    lines = values.CLASSES.split(f"\n{_LAST_KIND}")[0].strip().splitlines()
    said = ",".join(line.partition(":")[2] for line in lines).replace("=", ",").split(",")
    return _MORE.union(name.strip() for name in said if name.strip() and " " not in name.strip()) - _set(
        "serverless monolith microservices sessions cookies monorepo polyrepo multirepo"
    )


def is_known(word: str) -> bool:
    """Tell whether a folded word is the name of a known tool."""
    return word in _known()


def is_everyday(word: str) -> bool:
    """Tell whether a folded name is a word of every day as well."""
    return word in _EVERYDAY


@cache
def other_names(word: str) -> frozenset[str]:
    """Return under which names, folded, a tool goes beside the one given: its short one, or the one of its package."""
    if word == GO:
        return frozenset({"golang"})
    short = {_SHORT_NAMES[word]} if word in _SHORT_NAMES else set()
    return frozenset(short | ({f"{word}js"} if len(word) > 2 and is_known(word) else set()))


def is_used_word(word: str) -> bool:
    """Tell whether a folded word only takes up what follows it."""
    return word in _USED
