PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PARALLEL := -n 2 --dist loadgroup

.DEFAULT_GOAL := help
.PHONY: torture soak help setup demo test test-fast test-all test-connect check docs bench experiments mutants goldens nexmark machine

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-12s %s\n", $$1, $$2}'

setup: machine $(READY)  ## Make .venv with pinned dependencies; the command is then .venv/bin/transom

demo: setup  ## Watch windows close over a disordered stream
	@$(BIN)/transom demo

test: setup  ## Run the tests: every capability on Spark at least once
	@$(BIN)/python -m pytest $(PARALLEL) -m "not long"

test-fast: setup  ## Those that need no Spark
	@$(BIN)/python -m pytest $(PARALLEL) -m "not long and not spark and not server"

test-all: setup  ## All tests, all transcripts on Spark, more random queries and examples, and Spark's again over Connect
	@TRANSOM_ALL=1 TRANSOM_STRIDE=1 TRANSOM_CASES=640 TRANSOM_RANDOM=24 $(BIN)/python -m pytest $(PARALLEL)
	@$(MAKE) --no-print-directory test-connect

test-connect: setup  ## The tests of Spark, but for those of classic sessions, over a Spark Connect server
	@TRANSOM_REMOTE="local[2]" $(BIN)/python -m pytest -m "spark and not server and not long"

check: setup docs  ## Check format, lint, types, and the links of the documentation
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

docs: setup  ## Build the documentation site in build/site; open build/site/index.html
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-docs.txt
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

bench: setup  ## Measure Transom against Spark and pandas, side by side; BENCH="--quick" takes a short look
	@$(BIN)/python -m benchmarks $(BENCH)

experiments: setup  ## Run the papers' experiments and ours; EXPERIMENTS="--quick" takes a short look
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-experiments.txt
	@$(BIN)/python -m experiments $(EXPERIMENTS)

torture: setup  ## Kill, cut and fill what random queries run on, for MINUTES=10, and compare their rows
	@$(BIN)/python -m tests.torture --minutes $(or $(MINUTES),10) $(TORTURE)

soak: setup  ## Run four queries for MINUTES=60, at a constant rate and in bursts, and see that memory and state return
	@$(BIN)/python -m tests.torture.soak --minutes $(or $(MINUTES),60) $(SOAK)

mutants: setup  ## Change each inequality of the definitions, one by one, and see that a test fails
	@$(BIN)/python tools/mutants.py

machine:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Python: Transom needs Python 3.11 or newer, and $(PYTHON) is not; install one and run make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) src/transom/cli/doctor.py
	@test ! -x $(BIN)/python || test "$$($(PYTHON) -V)" = "$$($(BIN)/python -V)" || \
		echo "note: .venv has $$($(BIN)/python -V); remove .venv to use $$($(PYTHON) -V)" >&2

$(READY): requirements.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing into .venv (some minutes the first time) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

goldens: setup  ## Write the golden outputs of EXPLAIN anew
	@$(BIN)/python tools/goldens.py

nexmark: setup  ## Write the page of Nexmark queries anew
	@$(BIN)/python tools/nexmark_page.py
