"""Hypothesis strategies for everything a memory can hold."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, from_day, from_ms
from plainbrain.model.links import Link
from plainbrain.model.memory import Association, Correction, Dynamics, Memory, Rejected, Usage
from plainbrain.model.provenance import Provenance

#: Any text that we would store: no lone surrogates, no NUL (both are refused or repaired before a store sees them).
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60)
#: Texts of one line without control characters, as titles and tags are after admission.
lines = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=40).map(str.strip)
words = lines.filter(bool)
slugs = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)
units = st.floats(0, 1, allow_nan=False)
counts = st.integers(0, 10_000)

#: Instants of every kind, from 1970 to 2200.
instants: st.SearchStrategy[Instant] = st.one_of(
    st.integers(0, 7_258_118_400_000).map(from_ms),
    st.integers(0, 7_258_118_400).map(lambda s: from_ms(s * 1000)),
    st.dates(min_value=date(1970, 1, 1)).map(from_day),
)
maybe_instants = st.none() | instants

#: What JSON can say, small.
json_values: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
#: Keys that no notation uses itself.
foreign = st.dictionaries(slugs.map(lambda s: f"x_{s}"), json_values, max_size=2)

confidences = st.one_of(
    st.just(Confidence()),
    units.map(lambda n: Confidence(number=n)),
    st.sampled_from(["sure", "likely", "uncertain"]).map(lambda w: Confidence(word=w)),
)
links = st.builds(
    Link,
    to=slugs,
    rel=st.sampled_from(["supersedes", "superseded_by", "relates_to", "caused_by", "weird rel"]),
    strength=st.none() | units,
    created=maybe_instants,
    updated=maybe_instants,
)
provenances = st.builds(
    Provenance,
    origin=words | st.just(""),
    actor=lines,
    trust=st.sampled_from(["", "reviewed", "own", "unreviewed", "quarantined"]),
    sessions=st.lists(words, max_size=2, unique=True).map(tuple),
    turn=st.none() | st.integers(1, 1000),
    turn_ids=st.lists(words, max_size=2, unique=True).map(tuple),
    excerpt=texts,
)
usages = st.builds(
    Usage,
    accesses=counts,
    last_accessed=maybe_instants,
    successes=counts,
    injected=counts,
    used=counts,
    relevance=st.none() | units,
)
associations = st.builds(Association, to=slugs, weight=units, last_recalled=maybe_instants, created=maybe_instants)
dynamics = st.builds(
    Dynamics,
    importance=st.none() | units,
    stability=st.none() | units,
    retention=st.none() | units,
    cold=st.booleans(),
    cold_since=maybe_instants,
    days_at_floor=st.integers(0, 100),
    stub=st.booleans(),
    associations=st.lists(associations, max_size=2, unique_by=lambda a: a.to).map(tuple),
)
vectors = st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=4).map(tuple)
tags = st.from_regex(r"[a-z0-9_]{1,8}([./-][a-z0-9]{1,6})?", fullmatch=True) | st.sampled_from(
    ["007", "1e3", "no", "été", "日本"]
)


def memories(ids: st.SearchStrategy[str] = slugs) -> st.SearchStrategy[Memory]:
    """Return memories with any field filled, as any of the four seeds may fill it."""
    return st.builds(
        Memory,
        id=ids,
        content=texts,
        title=lines,
        description=lines,
        kind=st.sampled_from(["", "fact", "decision", "preference", "weird kind"]),
        memory_class=st.sampled_from(["", "semantic", "episodic", "core"]),
        cortex=st.sampled_from(["", "infra", "infra/node", "inbox"]),
        tags=st.lists(tags, max_size=3, unique_by=lambda t: t.lower().replace("/", ".")).map(tuple),
        confidence=confidences,
        status=st.sampled_from(["active", "superseded", "invalidated", "draft"]),
        links=st.lists(links, max_size=3, unique_by=lambda link: (link.to, link.rel)).map(tuple),
        created=maybe_instants,
        updated=maybe_instants,
        last_validated=maybe_instants,
        reviewed=maybe_instants,
        invalidated=maybe_instants,
        valid_from=maybe_instants,
        valid_until=maybe_instants,
        ttl_seconds=st.none() | st.integers(0, 10**9).map(float),
        reason=texts,
        rationale=texts,
        rejected=st.lists(st.builds(Rejected, option=texts, reason=st.none() | texts), max_size=2).map(tuple),
        files=st.lists(words, max_size=2, unique=True).map(tuple),
        scope=st.sampled_from(["", "user", "local", "team", "global", "odd scope"]),
        context=texts,
        user_id=lines,
        source=st.sampled_from(["", "user", "inferred", "ingested"]),
        source_url=lines,
        provenance=provenances,
        correction=st.none() | st.builds(Correction, texts, texts, texts, st.none() | texts),
        contradicted_by=lines,
        usage=usages,
        dynamics=dynamics,
        embedding=st.none() | vectors,
        metadata=foreign,
        extra=foreign,
    )
