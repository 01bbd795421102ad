"""The real model, where it is installed: its vectors are those of full precision, and mean what they should.

``make model`` installs it; ``BRAIN_MODELS`` names another folder of models.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import platformdirs
import pytest

from plainbrain.embed.registry import USUAL, open_folder
from plainbrain.index.sqlite import SqliteIndex
from plainbrain.model.change import Put
from plainbrain.model.memory import Memory
from plainbrain.ports import Model
from plainbrain.stores.ram import RamStore

#: Found when this file is loaded, before every test gets folders of its own.
_MODELS = Path(os.environ.get("BRAIN_MODELS") or platformdirs.user_data_path("plainbrain") / "models")


@pytest.fixture(scope="module")
def minilm() -> Model:
    """Return the installed model; skip where there is none."""
    if not (_MODELS / USUAL).is_dir():
        pytest.skip(f"{USUAL} is not installed: make model")
    return open_folder(_MODELS / USUAL)


#: The first numbers of the vectors that the published weights give in full precision.
REFERENCE = {
    "The cat sits on the mat.": [
        0.1342,
        -0.0329,
        -0.0248,
        0.0414,
        -0.0363,
        0.0418,
        0.0312,
        0.0372,
        0.0075,
        0.0369,
        -0.0308,
        0.0672,
        0.0323,
        0.0239,
        -0.0194,
        -0.044,
        -0.0741,
        -0.0218,
        0.0912,
        0.0383,
        -0.0335,
        -0.0088,
        0.0225,
        -0.0744,
    ],
    "Deploys go out on Fridays after the freeze.": [
        0.0273,
        -0.0282,
        0.0704,
        -0.0039,
        0.0612,
        -0.0355,
        -0.0847,
        -0.0719,
        -0.0523,
        0.036,
        0.071,
        0.1314,
        0.011,
        0.0459,
        0.0765,
        -0.0354,
        -0.0518,
        -0.0818,
        -0.0099,
        -0.0215,
        -0.0065,
        -0.0105,
        -0.0549,
        0.0123,
    ],
}


def test_vectors_are_those_of_the_published_weights(minilm: Model) -> None:
    for text, numbers in REFERENCE.items():
        vector = np.array(minilm.embed_query(text))
        assert vector.shape == (384,)
        head, wanted = vector[: len(numbers)], np.array(numbers)
        assert float(head @ wanted / np.linalg.norm(head) / np.linalg.norm(wanted)) > 0.97


def test_meaning_is_found_without_a_word_in_common(minilm: Model) -> None:
    store = RamStore("minilm")
    store.apply(
        [
            Put(Memory("pets", "Our kitten likes to nap on the windowsill.")),
            Put(Memory("money", "The central bank raised interest rates again.")),
            Put(Memory("deploy", "We ship new versions to production every Thursday.")),
        ]
    )
    index = SqliteIndex(None, store.url, model=minilm)
    assert index.catch_up(store) == ()
    for question, wanted in {
        "where does the cat sleep?": "pets",
        "what happened to borrowing costs?": "money",
        "when is the release?": "deploy",
    }.items():
        vector = index.embed_query(question)
        assert vector is not None
        assert next(iter(index.similar(vector, 3))) == wanted
