# Every target does the set-up that it needs, in steps: the package alone for the demo, compiled
# kernels for what works hard, tools and extras for the tests. `make setup` does all of them.
.PHONY: demo setup test test-slow lint fuzz bench costs clean check-one-click pictures
.PHONY: check-theorems check-tables levels

# A step that fails behind a pipe has failed.
SHELL := bash
.SHELLFLAGS := -o pipefail -c

PYTHON ?= python3
BIN := .venv/bin
# One more than there are cores: browser tests wait more than they compute.
WORKERS := $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
KERNELS := $(shell find src/sapper/kernels -name '*.py' -o -name '*.pxd')

# Modules are compiled to bytecode when they are first imported: most never are.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --no-compile \
	--constraint constraints.txt
# What pip does, as a line of names that grows.
NAMES := awk '/^Collecting/ { split($$2, name, /[^A-Za-z0-9_.-]/); printf " %s", name[1]; fflush() } \
	END { print "" }'
# The install leaves the kernels to the step that compiles them.
EDITABLE := SAPPER_PLAIN=1 $(PIP) --no-build-isolation --editable

# The game starts as soon as the package is there; the kernels are compiled behind it.
demo: .venv/package.ready
	@mkdir -p build; $(MAKE) --silent build/kernels.ready >build/kernels.log 2>&1 & \
	compiling=$$!; trap 'kill $$compiling 2>/dev/null; exit 130' INT TERM; \
	$(BIN)/sapper demo; shown=$$?; \
	$(call wait_for,$$compiling,build/kernels.log) || { cat build/kernels.log; exit 1; }; \
	$(BIN)/sapper --version; exit $$shown

# Waits for a process; on a terminal the last line of its log shows that it moves.
define wait_for
{ kill -0 $(1) 2>/dev/null && echo "compiling the kernels, once: from then on sapper is quick"; \
	while test -t 1 && kill -0 $(1) 2>/dev/null; do \
	printf '\r%-78.78s' "$$(tail -n 1 $(2))"; sleep 0.5; done; \
	test -t 1 && printf '\r%-78s\r' ''; wait $(1); }
endef

setup: .venv/tools.ready build/kernels.ready

.venv/package.ready: pyproject.toml constraints.txt
	@test -x $(BIN)/python || { echo "making .venv"; $(PYTHON) -m venv .venv; }
	@printf "installing the package:"
	@{ $(PIP) setuptools 'cython>=3.2.1,!=3.3.0,<4' && $(EDITABLE) .; } | $(NAMES)
	@touch $@

build/kernels.ready: .venv/package.ready setup.py $(KERNELS)
	@echo "compiling the kernels on all cores (once, about a minute on two)"
	@mkdir -p build && touch build/kernels.started
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@mv build/kernels.started $@ # as old as the start: a source that changed meanwhile is newer

.venv/tools.ready: .venv/package.ready
	@printf "installing tools and extras:"
	@{ $(PIP) --upgrade "pip>=25.1" && $(PIP) --group dev && $(EDITABLE) '.[all]'; } | $(NAMES)
	@touch $@

# The book, into build/book; its warnings are errors. The page's Help links to it from then on.
.PHONY: docs
docs: setup
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/book
	@echo "the book: build/book/index.html"

.PHONY: browser web
# The page is tested in Debian's chromium; where that cannot be had, the run says so at its end.
browser:
	@command -v chromium >/dev/null || { \
		echo "installing chromium for the browser tests"; \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium \
		>/dev/null || echo "cannot install chromium here"; }

web: build/kernels.ready
	$(BIN)/sapper play

test: setup browser
	@rm -rf build/browser-times
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -m "not slow" -n $(WORKERS) --dist worksteal
	SAPPER_PLAIN=1 $(BIN)/pytest -m "plain and not slow" -n auto --dist worksteal
	@cat build/browser-times/* 2>/dev/null || true
	@command -v chromium >/dev/null || { \
		echo "************************************************************************"; \
		echo "*  THE BROWSER TESTS WERE LEFT OUT: there is no chromium here.         *"; \
		echo "*  Install it (apt-get install chromium) and run make test again.      *"; \
		echo "************************************************************************"; }

test-slow: setup
	$(BIN)/pytest -m slow -n auto

# All 1,628,125 cases of one-click boards up to 50x50, by every method, played by the game.
check-one-click: setup
	$(BIN)/pytest tests/unit/generate/one_click/test_staircases.py -n auto

# The pictures in docs/, drawn anew.
pictures: setup
	for script in docs/*/*_pictures.py; do $(BIN)/python $$script; done

# The picture of the page in the README.
.PHONY: page-picture
page-picture: setup browser
	$(BIN)/python tools/page_picture.py

# Both theorems of paper tables for all sizes up to 60 and 30x30, by exact rank and by spectrum.
check-theorems: setup
	$(BIN)/pytest tests/unit/generate/tables/test_theorems.py -n auto

# Ten thousand tables over all tilings, sizes and methods, each shown unique in two ways.
check-tables: setup
	$(BIN)/pytest tests/property/test_many_tables.py -m slow -n auto -rP

# The lab's runs killed twenty times a runner, full disks, Dask clusters cut off: ten minutes.
.PHONY: check-lab
check-lab: setup
	SAPPER_KILLS=20 $(BIN)/pytest tests/e2e/test_lab_killed.py tests/unit/lab -rP --durations=10

# Positions that follow 20,000 games over all tilings and graphs, with what-ifs, position by position.
.PHONY: check-position
check-position: setup
	SAPPER_GAMES=20000 $(BIN)/pytest tests/oracle/test_positions.py -n auto

# Ten thousand puzzles of each difficulty on squares, a thousand on each other tiling: 20 minutes.
.PHONY: check-puzzles
check-puzzles: setup
	SAPPER_PUZZLES=10000 $(BIN)/pytest tests/property/test_many_puzzles.py -n auto -rP

# No-guess boards by the thousand, each won again by the papers' strategies: 20 minutes.
.PHONY: check-no-guess
check-no-guess: setup
	$(BIN)/pytest tests/unit/generate/no_guess -m slow -n auto

lint: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

fuzz: setup
	SAPPER_FUZZ=100000 $(BIN)/pytest tests/property/test_parsers.py -n auto
	SAPPER_FUZZ=10000 $(BIN)/pytest tests/unit/model/test_formats.py -n auto

# A thousand numbers over all tilings and difficulties: what each shows proves what it says.
.PHONY: check-numbers
check-numbers: setup
	$(BIN)/pytest tests/oracle/test_numbers.py -m slow -rP

# Ten thousand broken replays, a fork each: a minute.
.PHONY: check-replays
check-replays: setup
	SAPPER_REPLAYS=10000 $(BIN)/pytest tests/unit/answers/test_replays.py -n auto

# A release: sdist and wheel in dist/, the wheel tried in an empty environment without a compiler
# or a network. Where auditwheel can, the wheel is tagged for other Linuxes too.
.PHONY: dist
dist: setup
	@printf "installing what builds a release:"; $(PIP) --group dist | $(NAMES)
	rm -rf dist build/wheel && mkdir -p build/wheel
	$(BIN)/python -m build --no-isolation --sdist --outdir dist
	$(BIN)/python -m build --no-isolation --wheel --outdir build/wheel
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl || \
		{ echo "no manylinux tag here: the wheel is for this Linux"; cp build/wheel/*.whl dist; }
	$(BIN)/python tools/try_wheel.py dist/*.whl

# Which lines of src the tests reach; plain kernels, since compiled ones cannot be followed.
.PHONY: coverage
coverage: setup browser
	$(BIN)/pytest -m "not slow" -n auto --cov=sapper --cov-report=term:skip-covered --cov-report=html:build/coverage

# One table beside every peer that is installed, written into docs/benchmarks.md: three minutes.
bench: setup
	$(BIN)/python benchmarks/table.py

# Every part by itself: growth, memory, threads, the page under load.
.PHONY: bench-details
bench-details: setup
	for script in benchmarks/bench_*.py; do $(BIN)/python $$script; done

# How often the careful player wins, with intervals: 200,000 games, half a minute.
.PHONY: win-rates
win-rates: build/kernels.ready
	$(BIN)/python benchmarks/win_rates.py

# Perfect play on all small boards, written into docs/how-it-works/perfect-endings.md.
.PHONY: perfect
perfect: setup
	$(BIN)/python benchmarks/perfect.py

# The pictures and the table of docs/how-it-works/win-rates.md, played by the lab into build/lab.
.PHONY: lab-pictures
lab-pictures: setup
	$(BIN)/python benchmarks/lab_pictures.py

# Networks from nothing: three rounds of data on all cores, each fitted, the last twice; what is
# there already is gone on with. Two hours of two cores a round, minutes of a GPU for the fits.
.PHONY: train train-small
TRAIN_SECONDS ?= 3600
train: build/kernels.ready
	$(PIP) '.[train]' | $(NAMES)
	$(BIN)/python -m training round --round 1 --seconds $(TRAIN_SECONDS)
	$(BIN)/python -m training round --round 2 --seconds $(TRAIN_SECONDS)
	$(BIN)/python -m training round --round 3 --seconds $(TRAIN_SECONDS) --extras 2 --rounds 2 3
	$(BIN)/python -m training fit --round 3 --rounds 3 --name large --start none \
		--first 256 --second 64 --scalars 23 --fit-seconds 3600

# The same path in minutes, by numpy: too few positions for strength.
train-small: build/kernels.ready
	$(BIN)/python -m training round --folder build/training-small --seconds 60 \
		--engine numpy --first 16 --second 8 --epochs 3 --batch 256 --fit-seconds 60 \
		--check-seconds 10

# The paper's costs, measured and drawn into docs/how-it-works/.
costs: setup
	$(BIN)/python benchmarks/costs.py

# The preset levels by their difficulties and guesses, measured into docs/how-it-works/proofs.md.
levels: build/kernels.ready
	$(BIN)/python benchmarks/levels.py

clean:
	rm -rf .venv build src/*.egg-info src/sapper/kernels/compiled_from.txt
	find src/sapper/kernels -name '*.so' -delete
