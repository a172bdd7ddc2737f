# Everything a person does with a working copy. All of it happens inside .venv; it needs Python
# 3.11 or newer, make, and the internet once. The client is built by a Node from PyPI.

VENV   := .venv
PY     := $(VENV)/bin/python
SRC    := src tests hatch_build.py
PYTEST := $(PY) -m pytest
DEV_PORT ?= 8770
# How many tests run at a time, without and with a browser.
WORKERS  ?= 4
BROWSERS ?= 3

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play test test-fast test-browser check lint types types-client vitest format \
        bench dev client programs build clean

help:  ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ------------------------------------------------------------------------------------- set-up
# Two stamps: what playing needs, and what developing needs. Each is made again when
# pyproject.toml has changed. The newest Python of the PATH is taken, or PYTHON=...

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)

# Editable, without the client: that is built after it, and only when it has changed.
COMMA := ,
PIP := -m pip install --quiet --disable-pip-version-check
define install
	@PENULTIMA_SKIP_CLIENT=1 $(1)/bin/python $(PIP) -e '.[$(2)]' >$(1)/pip.log 2>&1 || { \
	  if test -n "$$CI"; then cat $(1)/pip.log; fi; \
	  echo 'penultima: pip could not install what is needed: check the network, then try again (log: $(1)/pip.log)' >&2; \
	  exit 1; }
endef

$(VENV)/bin/pip:
	@test -n "$(PYTHON)" || { echo 'penultima: needs Python 3.11 or newer: install it, or say where: make PYTHON=/path/to/python3' >&2; exit 1; }
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); echo 'penultima: this Python makes no virtual environments: install the venv package (Debian, Ubuntu: apt install python3-venv).' >&2; exit 1; }

$(VENV)/.play: pyproject.toml | $(VENV)/bin/pip
	@echo 'Installing what Penúltima needs ...'
	$(call install,$(VENV),client)
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/pip
	@echo 'Installing what Penúltima and its tests need ...'
	$(call install,$(VENV),dev)
	@touch $@ $(VENV)/.play

client: $(VENV)/.play  ## build the phone client, if its sources have changed
	@$(PY) hatch_build.py

programs: $(VENV)/.dev
	@$(PY) -m tests.programs

# --------------------------------------------------------------------------------------- play

play: client  ## open a table; options in ARGS="..."
	@$(VENV)/bin/penultima $(ARGS)

dev: $(VENV)/.dev client  ## a table whose client reloads while you edit static/
	@PENULTIMA_DEV_HOST=http://127.0.0.1:$(DEV_PORT) \
	$(PY) hatch_build.py npm run --silent dev -- --host >$(VENV)/vite.log 2>&1 & vite=$$!; \
	trap 'kill $$vite 2>/dev/null' EXIT INT TERM; \
	$(VENV)/bin/penultima --port $(DEV_PORT) --public-url http://localhost:5173 $(ARGS)

# -------------------------------------------------------------------------------------- check
# Three parts: without a browser, with one, and what measures time and has the machine to itself.
# Most of the first two is waiting for programs, clocks and pages, hence more workers than cores.

# With ARGS="-k something" there may be a part without such a test (pytest's 5).
define part
	@$(PYTEST) $(1) $(ARGS) $(if $(strip $(ARGS)),|| test $$? -eq 5)
endef

test: $(VENV)/.dev client programs  ## all tests, browser tests included
	$(call part,-n $(WORKERS) --dist worksteal -m 'not browser')
	$(call part,-n $(BROWSERS) --dist loadgroup -m 'browser and not alone')
	$(call part,-m 'browser and alone')

test-fast: $(VENV)/.dev  ## the tests that take seconds
	@$(PYTEST) -n auto --dist worksteal -m 'not browser and not slow' $(ARGS)

test-browser: $(VENV)/.dev client programs  ## only the tests in Chromium
	$(call part,-n $(BROWSERS) --dist loadgroup -m 'browser and not alone')
	$(call part,-m 'browser and alone')

check: lint types types-client vitest test  ## what CI runs: lint, types, all tests

lint: $(VENV)/.dev
	@$(PY) -m ruff check $(SRC)
	@$(PY) -m ruff format --check --quiet src hatch_build.py

format: $(VENV)/.dev
	@$(PY) -m ruff check --fix $(SRC)
	@$(PY) -m ruff format src hatch_build.py

types: $(VENV)/.dev
	@$(PY) -m mypy

types-client: $(VENV)/.dev
	@$(PY) hatch_build.py npm run --silent types

vitest: $(VENV)/.dev
	@$(PY) hatch_build.py npm run --silent test

# -------------------------------------------------------------------------------------- bench
# RLCard brings numpy and old habits: it gets an environment of its own.

.venv-bench/.ready: pyproject.toml $(VENV)/.dev
	@echo 'Installing the reference for the bench ...'
	@$(PY) -m venv .venv-bench
	$(call install,.venv-bench,bench$(COMMA)dev)
	@touch $@

bench: .venv-bench/.ready client programs  ## measure; JSON on stdout
	@.venv-bench/bin/python -m tests.bench $(ARGS)

# ------------------------------------------------------------------------------------ release

build: $(VENV)/.dev  ## wheel and sdist in dist/
	@$(PY) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@$(PY) -m hatchling build -t sdist

clean:  ## back to a fresh clone
	rm -rf $(VENV) .venv-bench dist build static/node_modules static/.built static/.build.lock \
	  src/penultima/client .mypy_cache .ruff_cache .pytest_cache .hypothesis test-results bench-results
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
