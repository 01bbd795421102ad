"""Praise, blame or neither; negations, contrasts and questions understood."""

from __future__ import annotations

import pytest

from plainbrain.lifecycle.feedback import judge_feedback

CASES = [
    ("that worked, thanks!", "positive"),
    ("this is not helpful", "negative"),
    ("thanks, but it still fails", "negative"),
    ("I didn't think it would, but it worked", "positive"),
    ("not bad at all", "positive"),
    ("no longer crashes", "positive"),
    ("Did that work for you?", "neutral"),
    ("Thanks, I'll have a look later", "neutral"),
    ("thanks for nothing", "negative"),
    ("Hat leider nicht geholfen", "negative"),
    ("ça ne marche pas", "negative"),
    ("funcionó, gracias", "positive"),
    ("没有用", "negative"),
    ("解决了，谢谢", "positive"),
    ("Спасибо, всё заработало", "positive"),
    ("", "neutral"),
]


@pytest.mark.parametrize(("text", "verdict"), CASES)
def test_feedback_is_judged_by_what_it_says(text: str, verdict: str) -> None:
    assert judge_feedback(text) == verdict
