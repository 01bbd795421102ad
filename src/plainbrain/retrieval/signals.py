"""What the ranking ``auto`` looks at, and how much each thing weighs: one linear model for every brain.

Owns the weights. They were fitted to conversations (docs/evaluation.md tells how, and what each is worth) and are the same
for every brain; none looks at the form of a question. A signal that a memory does not have (no author, no date,
no turn of a conversation) neither helps nor harms it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

from plainbrain.records import record


@record(frozen=True, slots=True)
class Signals:
    """Weigh each signal; zero leaves it out.

    ``body``: the memory's own words. ``context``: its words with those of the turns around it. ``author``: said by
    somebody whom the question names. ``date``: of a time that the question names. ``likeness``: cosine of its vector
    with the question's; ``likeness_context``: of the vector of it with what came before. ``certainty``: the power to
    which confidence × freshness is taken.
    """

    body: float = 1.0
    context: float = 5.0
    author: float = 1.3
    date: float = 2.0
    likeness: float = 2.0
    likeness_context: float = 2.0
    certainty: float = 0.1

    @property
    def use_vectors(self) -> bool:
        """Whether vectors count at all."""
        return bool(self.likeness or self.likeness_context)

    def without(self, names: Iterable[str]) -> Signals:
        """Return the same with some signals left out; names that are none are passed over."""
        known = {field.name for field in fields(self)}
        return replace(self, **{name: 0.0 for name in names if name in known})


SHIPPED = Signals()
#: The names of the signals, in order.
NAMES = tuple(field.name for field in fields(Signals))
