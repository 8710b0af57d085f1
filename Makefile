# Two commands do everything: `make run` opens the app, `make test` checks it. Both set up what they need first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8501

export PYTHONPATH := $(CURDIR)

.PHONY: run test lint bench registry clean

run: $(VENV)/.run
	$(BIN)/streamlit run app.py --server.port=$(PORT) --server.headless=false --server.showEmailPrompt=false

test: lint
	$(BIN)/python -m pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.dev
	$(BIN)/python -m tests.benchmarks

# After a table in assets/ was changed on purpose.
registry: $(VENV)/.run
	$(BIN)/python -c "from core.assets import write_registry; write_registry()"

$(VENV)/.run: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ $(VENV)/.run

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
