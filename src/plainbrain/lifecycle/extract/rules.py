"""The English rows in the order in which they are tried; the first that reads a clause wins.

Owns the order. Must not know what the rows say.
"""

from __future__ import annotations

from plainbrain.lifecycle.extract.about_life import LIFE
from plainbrain.lifecycle.extract.about_project import PROJECT
from plainbrain.lifecycle.extract.about_stack import RELATIONS, STACK
from plainbrain.lifecycle.extract.about_style import PREFERENCES, WORKFLOW
from plainbrain.lifecycle.extract.about_user import IDENTITY

ENGLISH = (*IDENTITY, *LIFE, *STACK, *RELATIONS, *PREFERENCES, *WORKFLOW, *PROJECT)
