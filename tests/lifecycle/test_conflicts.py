"""What counts as a conflict, on pairs of our own in many languages, and what never does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plainbrain.lifecycle.conflicts import find_conflicts, is_duplicate, judge, judge_texts
from plainbrain.lifecycle.overlap import measure_overlap
from plainbrain.model.memory import SUPERSEDED, Memory

PAIRS = [
    line.split("|")
    for line in (Path(__file__).parent / "conflict_pairs.txt").read_text(encoding="utf-8").splitlines()
    if line
]


def kind(a: str, b: str) -> str:
    return judge_texts(a, b).kind


def test_the_rule_is_far_better_than_plain_overlap_on_our_pairs() -> None:
    ours: Counter[tuple[bool, bool]] = Counter()
    plain: Counter[tuple[bool, bool]] = Counter()
    for label, a, b in PAIRS:
        ours[label == "conflict", kind(a, b) == "conflict"] += 1
        plain[label == "conflict", measure_overlap(a, b).is_conflict] += 1

    def precision(counts: Counter[tuple[bool, bool]]) -> float:
        return counts[True, True] / (counts[True, True] + counts[False, True])

    def recall(counts: Counter[tuple[bool, bool]]) -> float:
        return counts[True, True] / (counts[True, True] + counts[True, False])

    assert len(PAIRS) > 300
    assert precision(ours) >= 0.97
    assert recall(ours) >= 0.95
    assert precision(plain) < 0.75
    assert recall(plain) < 0.75


def test_unrelated_statements_hardly_ever_conflict() -> None:
    english = [a for _, a, _ in PAIRS if a.isascii()][::3]
    pairs = [(a, b) for i, a in enumerate(english) for b in english[i + 1 :]]
    alarms = [(a, b) for a, b in pairs if kind(a, b) == "conflict"]
    assert len(alarms) < 0.01 * len(pairs), alarms


@pytest.mark.parametrize(("label", "a", "b"), PAIRS[::7])
def test_the_order_of_the_two_does_not_matter(label: str, a: str, b: str) -> None:
    assert kind(a, b) == kind(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("staging port is 8443", "staging port is 9443"),
        ("The project uses yarn", "The project uses pnpm"),
        ("User works at Acme", "User works at Globex"),
        ("We use feature flags", "We do not use feature flags"),
        ("Lint runs before the tests", "Lint runs after the tests"),
        ("Prefers composition over inheritance", "Prefers inheritance over composition"),
        ("We moved from Jenkins to GitHub Actions", "CI runs on Jenkins"),
        ("用户住在北京", "用户住在上海"),
        ("Мы используем Docker", "Мы не используем Docker"),
    ],
)
def test_replaced_values_and_denials_conflict(a: str, b: str) -> None:
    assert kind(a, b) == "conflict"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The auth service no longer restarts on deploy", "The billing service no longer writes to the old bucket"),
        ("v1.4 ships Monday", "v1.5 ships Monday"),
        ("The staging server listens on port 8443", "The production server listens on port 9443"),
        ("Anna works at Acme", "Ben works at Globex"),
        ("User likes tea", "User likes coffee"),
        ("We use Rust", "We use Kafka"),
        ("User lives in Berlin", ""),
    ],
)
def test_other_subjects_and_additions_do_not_conflict(a: str, b: str) -> None:
    assert kind(a, b) == "none"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("User lives in Porto", "The user resides in Porto"),
        ("The timeout is 30 seconds", "Timeout is set to 30s"),
        ("The limit is 1 GB", "The limit is 1024 MB"),
        ("The launch is on March 3", "The launch is on 3 March"),
        ("We use Kubernetes", "We use k8s"),
    ],
)
def test_another_wording_is_the_same(a: str, b: str) -> None:
    assert kind(a, b) == "same"


def test_a_different_context_is_no_conflict() -> None:
    at_work = Memory(id="a", content="User uses vim", context="at work")
    at_home = Memory(id="b", content="User uses VS Code", context="at home")
    assert judge(at_work, at_home).kind == "none"
    assert judge(Memory(id="a", content="User uses vim"), at_home).kind == "conflict"
    assert judge(at_work, Memory(id="b", content="User uses VS Code", context=" At  Work ")).kind == "conflict"


def test_another_persons_memory_is_no_conflict() -> None:
    ours = Memory(id="a", content="User lives in Porto", user_id="u1")
    assert judge(ours, Memory(id="b", content="User lives in Faro", user_id="u2")).kind == "none"


def test_findings_are_live_others_strongest_first() -> None:
    new = Memory(id="new", content="The API listens on port 9443")
    old = [
        Memory(id="new", content="The API listens on port 1"),
        Memory(id="retired", content="The API listens on port 2", status=SUPERSEDED),
        Memory(id="longer", content="The API listens on port 8443 behind the proxy"),
        Memory(id="exact", content="The API listens on port 8443"),
        Memory(id="other", content="The worker needs 2 GB"),
    ]
    found = find_conflicts(new, old)
    assert [f.memory.id for f in found] == ["exact", "longer"]
    assert found[0].verdict.overlap == 1.0
    assert "8443" in found[0].verdict.why


def test_the_overlap_figure_exists_for_texts_that_the_original_cannot_read() -> None:
    assert measure_overlap("サーバーのポートは3000です", "サーバーのポートは8000です").ratio == 0
    assert judge_texts("サーバーのポートは3000です", "サーバーのポートは8000です").overlap > 0.3


def test_one_conflicting_sentence_among_several_is_enough() -> None:
    assert (
        kind("The API is old. It was written in 2015. The API listens on port 80.", "The API listens on port 81")
        == "conflict"
    )


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("staging port is 8443", "staging port is 9443"),
        ("v1.4 ships Monday", "v1.5 ships Monday"),
        ("We use feature flags", "We do not use feature flags"),
        ("User lives in Berlin", "User lives in Lisbon"),
        ("用户住在北京", "用户住在上海"),
        ("Nightly job runs on node16 and writes the report to the shared drive of the finance team",
         "Nightly job runs on node18 and writes the report to the shared drive of the finance team"),
    ],
)  # fmt: skip
def test_numbers_denials_and_values_are_never_swallowed_as_duplicates(a: str, b: str) -> None:
    assert not is_duplicate(a, b)


def test_the_same_words_are_a_duplicate() -> None:
    assert is_duplicate("The user's name is Nadia", "the user's name is  Nadia.")
    assert is_duplicate("我们使用Redis", "我们使用Redis")
    assert is_duplicate("!!!", "!!!")
    assert not is_duplicate("!!!", "???")


TEXTS = st.text(max_size=60) | st.text(alphabet="aB1 .-:'中ا는を9%$#no,\n", max_size=60)


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS)
def test_no_text_raises_and_figures_stay_in_their_range(a: str, b: str) -> None:
    verdict = judge_texts(a, b)
    assert 0 <= verdict.overlap <= 1
    assert 0 <= verdict.strength <= 1
    is_duplicate(a, b)


@pytest.mark.parametrize("text", ["½'ÿ", "½'s cup", "ŉa ŉ's", "l'½ d'ﬃ's"])
def test_a_word_that_grows_when_folded_is_cut_all_the_same(text: str) -> None:
    assert judge_texts(text, f"{text} t").kind == "none"


@settings(max_examples=100, deadline=None)
@given(TEXTS)
@example("ʼ")
@example("l'")
@example("'s")
@example("l'-'s")
def test_a_text_never_conflicts_with_itself(text: str) -> None:
    assert judge_texts(text, text).kind != "conflict"
    assert is_duplicate(text, text)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 99_999), st.integers(0, 99_999))
def test_two_ports_are_a_conflict_exactly_when_they_differ(one: int, other: int) -> None:
    verdict = judge_texts(f"The API listens on port {one}", f"The API listens on port {other}")
    assert verdict.kind == ("same" if one == other else "conflict")


def test_huge_texts_are_looked_at_only_so_far() -> None:
    assert judge_texts("a-" * 200_000, "中" * 200_000).kind == "none"
    assert judge_texts("word " * 200_000, "1.2.3:" * 200_000).kind == "none"
