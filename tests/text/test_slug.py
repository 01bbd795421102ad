"""Slugs: safe on every system, distinct, stable, never empty."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.model.identity import is_slug
from plainbrain.text.slug import slugify, with_suffix


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        (
            "Firestore region europe-west1 for EU prospect data",
            "firestore-region-europe-west1-for-eu-prospect-data",
        ),
        ("v1.2 release notes", "v1-2-release-notes"),
        ("What's up, Größe?", "whats-up-grosse"),
        ("Ångström & Øre æther Łódź", "angstrom-ore-aether-lodz"),
        ("Привет, мир: ёж й", "privet-mir-yozh-y"),
        ("Αθήνα και Ωμέγα", "athina-kai-omega"),
        ("CON", "con-note"),
        ("nul", "nul-note"),
        ("aux.", "aux-note"),
        ("com1", "com1-note"),
        ("lpt1", "lpt1-note"),
        ("a: b?", "a-b"),
        ("trailing . ", "trailing"),
        ("../../etc/passwd", "etc-passwd"),
        ("٣ ３", "3-3"),
        ("ﬁle", "file"),
    ],
)
def test_titles_become_slugs(title: str, slug: str) -> None:
    assert slugify(title) == slug


@pytest.mark.parametrize(
    "title", ["日本語のノート", "ノート", "メモ", "", "🚀", "🎉", "...", "ملاحظة", "한글", "हिन्दी"]
)
def test_titles_of_other_scripts_keep_a_hash(title: str) -> None:
    assert slugify(title).startswith("note-")
    assert len(slugify(title)) == 13


def test_slugs_stay_as_they_were_made() -> None:
    assert slugify("日本語のノート") == "note-dc16ffd6"
    assert slugify("pnpm 日本") == "pnpm-82630453"


def test_titles_of_other_scripts_are_distinct() -> None:
    titles = ["日本", "日木", "pnpm 日本", "pnpm 日木", "🚀", "🎉", "한글", "한국"]
    assert len({slugify(title) for title in titles}) == len(titles)


def test_equal_beginnings_stay_apart() -> None:
    beginning = "the deploy of the billing service on fridays after the weekly release meeting is"
    one, other = f"{beginning} forbidden by the platform team", f"{beginning} allowed by the platform team"
    assert slugify(one) != slugify(other)
    assert slugify(one).startswith("the-deploy-of-the-billing-service-on-fridays-after")
    assert len(slugify("word " * 400)) <= 120
    assert len(slugify("w" * 4000)) <= 120


def test_composed_and_decomposed_letters_are_one() -> None:
    assert slugify("caf\u00e9") == slugify("cafe\u0301") == "cafe"
    assert slugify("й") == slugify("и\u0306") == "y"


@settings(deadline=None)
@given(st.text() | st.text(st.characters()))
def test_any_title_gives_a_slug(title: str) -> None:
    slug = slugify(title)
    assert is_slug(slug)
    assert slugify(slug) == slug
    assert is_slug(with_suffix(slug, 2))


def test_suffixes_stay_within_the_limit() -> None:
    assert with_suffix("a", 2) == "a-2"
    assert with_suffix("a" * 120, 10) == "a" * 117 + "-10"
    assert with_suffix("a" * 116 + "-bcd", 10) == "a" * 116 + "-10"
