# Everything a newcomer types. Each target does its own set-up; a second call finds it done.

PYTHON  ?= python3
PORT    ?= 8000
VENV    := .venv
PY      := $(VENV)/bin/python
TOOLS   := $(VENV)/.tools
PROJECT := $(VENV)/.project
WEB     := $(wildcard web/package.json)
MODULES := $(if $(WEB),web/node_modules/.package-lock.json)

.DEFAULT_GOAL := help
.PHONY: help run test lint bench contract client browser lock format clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*##  */\1\t/p' $(MAKEFILE_LIST) | expand -t 10

run: client  ## start the server and print its address (PORT=8000)
	$(VENV)/bin/gokaku serve --port $(PORT)

# The browser's tests run by themselves: their driver keeps an event loop running in its process,
# and they and the engines would slow each other down.
test: lint browser  ## everything: lint, the client's unit tests, pytest
	$(if $(WEB),cd web && npm test -- --passWithNoTests)
	$(VENV)/bin/pytest -n 2 --durations=15 --ignore=tests/e2e
	$(VENV)/bin/pytest -n 2 --durations=15 tests/e2e

lint: client $(MODULES)  ## formatting, style, types, the laws of imports, the client's types
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(if $(WEB),cd web && npm run check)

bench: $(PROJECT)  ## measure the engines on this machine
	$(VENV)/bin/gokaku bench $(ARGS)

contract: $(PROJECT)  ## compile the contract if its source has changed
	@$(PY) chain/build.py

client: $(PROJECT) contract  ## build the browser client if its sources have changed
	@$(PY) hatch_build.py

format: $(TOOLS)  ## let ruff format and mend what it can
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

lock: $(TOOLS)  ## renew requirements.lock from pyproject.toml (ARGS=--upgrade: everything)
	$(VENV)/bin/uv pip compile pyproject.toml --group dev --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --custom-compile-command "make lock" --quiet --output-file requirements.lock $(ARGS)

clean:  ## remove all that was installed or built
	rm -rf $(VENV) web/node_modules src/gokaku/web build dist screenshots \
	  .pytest_cache .hypothesis .ruff_cache .mypy_cache .import_linter_cache
	find src tests bench -name __pycache__ -prune -exec rm -rf {} +

# --- set-up, kept by stamp files ---

$(TOOLS): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "gokaku needs Python 3.11 or newer; name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "Python's venv is missing; on Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

# The client is built by a step of its own, so that its progress and its errors are seen.
$(PROJECT): pyproject.toml $(TOOLS)
	GOKAKU_WITHOUT_CLIENT=1 $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json
	@command -v npm >/dev/null \
	  || { echo "npm is missing; install Node.js 20.19 or newer with npm" >&2; exit 1; }
	cd web && npm ci --no-audit --no-fund
	@touch $@

# The end-to-end tests drive Debian's Chromium; the font is for the Japanese on the pictures that they take.
browser:
	@command -v chromium >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk; \
	else \
	  echo "chromium is missing; on Debian: apt install chromium" >&2; exit 1; \
	fi
