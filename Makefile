# Every target does the set-up that it needs. `make setup` prepares everything in .venv.
.PHONY: demo setup check test check-long bench docs dist train clean browser static unit whole plain

# Independent steps run at the same time.
MAKEFLAGS += --jobs=3

# A failure in the middle of a pipe fails the recipe.
SHELL := bash
.SHELLFLAGS := -o pipefail -c

# One thread for numpy: tests and workers already use every core.
export OPENBLAS_NUM_THREADS := 1

# Tests start hundreds of processes. Without bytecode files each of them would compile every module
# that it imports.
check test: export PYTHONPYCACHEPREFIX := $(CURDIR)/build/pycache
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
BIN := .venv/bin
BIOME := node_modules/.bin/biome
# One more than there are cores: browser tests wait more than they compute.
WORKERS := $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
KERNELS := $(shell find src/sapper/kernels -name '*.py' -o -name '*.pxd')

# Modules are compiled to bytecode when they are first imported: most never are.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --no-compile \
	--constraint constraints.txt
# Show the packages that pip collects as one growing line.
PRINT_NAMES := awk '/^Collecting/ { split($$2, name, /[^A-Za-z0-9_.-]/); printf " %s", name[1]; fflush() } \
	END { print "" }'
# The editable install does not compile the kernels; build/kernels.ready does.
EDITABLE := SAPPER_PLAIN=1 $(PIP) --no-build-isolation --editable

# The game starts as soon as the package is installed; the kernels compile in the background.
demo: .venv/package.ready
	@mkdir -p build; $(MAKE) --silent build/kernels.ready >build/kernels.log 2>&1 & \
	compiling=$$!; trap 'kill $$compiling 2>/dev/null; exit 130' INT TERM; \
	$(BIN)/sapper demo; shown=$$?; \
	$(call wait_for,$$compiling,build/kernels.log) || { cat build/kernels.log; exit 1; }; \
	$(BIN)/sapper --version; exit $$shown

# Wait for a process; on a terminal, show the last line of its log.
define wait_for
{ kill -0 $(1) 2>/dev/null && echo "compiling the kernels (once)"; \
	while test -t 1 && kill -0 $(1) 2>/dev/null; do \
	printf '\r%-78.78s' "$$(tail -n 1 $(2))"; sleep 0.5; done; \
	test -t 1 && printf '\r%-78s\r' ''; wait $(1); }
endef

setup: .venv/tools.ready build/kernels.ready

.venv/package.ready: pyproject.toml constraints.txt
	@test -x $(BIN)/python || { echo "making .venv"; $(PYTHON) -m venv .venv; }
	@printf "installing the package:"
	@{ $(PIP) setuptools 'cython>=3.3.1,<4' && $(EDITABLE) .; } | $(PRINT_NAMES)
	@touch $@

build/kernels.ready: .venv/package.ready setup.py $(KERNELS)
	@echo "compiling the kernels on all cores (once, about a minute on two)"
	@mkdir -p build && touch build/kernels.started
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@mv build/kernels.started $@ # dated at the start: a source that changed meanwhile is newer

.venv/tools.ready: .venv/package.ready
	@echo "installing tools and extras"
	@{ $(PIP) --upgrade "pip>=25.1" && $(EDITABLE) '.[all]' --group dev; } >/dev/null
	@touch $@

# Biome, the formatter and linter of the page's modules; without npm they are not checked.
# Not `npm ci`: it refuses a lock file whose packages for other systems the registry does not have.
node_modules/.package-lock.json: package.json package-lock.json
	@command -v npm >/dev/null && npm install --no-save --silent --no-audit --no-fund || echo "cannot install Biome here"

# Debian's chromium for the browser tests; without it the run ends with a warning.
browser:
	@command -v chromium >/dev/null || { \
		echo "installing chromium for the browser tests"; \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium \
		>/dev/null || echo "cannot install chromium here"; }

# The edit loop: the static checks, and the unit tests of pure Python beside them.
check: static unit

# Everything that must hold before a merge.
test: static plain whole
	@command -v chromium >/dev/null || echo "WARNING: no chromium here, so the browser tests were left out"
	@test -x $(BIOME) || echo "WARNING: no npm here, so the JavaScript was not checked"

# Print the output of a recipe when it ends, because the tests run at the same time.
define print_at_end
@mkdir -p build; ( $(1) ) >build/$@.log 2>&1; status=$$?; cat build/$@.log; exit $$status
endef

static: setup node_modules/.package-lock.json
	$(call print_at_end,$(BIN)/mypy & $(BIN)/ruff format --check . && $(BIN)/ruff check . && \
		$(BIN)/lint-imports && { test ! -x $(BIOME) || $(BIOME) check; }; others=$$?; wait $$! && exit $$others)

PYTEST := $(BIN)/pytest -m "not slow" --dist worksteal
UNIT_TESTS := $(patsubst %,tests/test_%.py,public_names vocabulary wrong_types) tests/property \
	$(addprefix tests/unit/,board formats engine solvers proofs players games generators env \
	render serialize worksheets)
unit: setup
	$(PYTEST) -n auto $(UNIT_TESTS)

whole: setup browser
	$(PYTEST) -n $(WORKERS)

# Once more with the kernels as plain Python.
plain: setup
	$(call print_at_end,SAPPER_PLAIN=1 $(BIN)/pytest -q -m "plain and not slow")

# Long checks, one suite at a time: make check-long SUITE=fuzz
SUITES := slow one-click theorems paper-puzzles lab tracking puzzles no-guess fuzz oracle replays pictures coverage
check-long: setup
	@case " $(SUITES) " in *" $(or $(SUITE),?) "*) ;; \
		*) echo "SUITE is one of: $(SUITES)"; exit 2;; esac
	$(LONG_$(SUITE))
LONG_slow = $(BIN)/pytest -m slow -n auto
LONG_one-click = $(BIN)/pytest tests/unit/generators/one_click/test_staircases.py -n auto
LONG_theorems = $(BIN)/pytest tests/unit/generators/paper_puzzles/test_theorems.py -n auto
LONG_paper-puzzles = SAPPER_SCALE=70 $(BIN)/pytest tests/property/test_many_paper_puzzles.py
LONG_lab = SAPPER_KILLS=20 SAPPER_INTERRUPTS=170 $(BIN)/pytest tests/e2e/test_lab_killed.py tests/unit/lab -rP --durations=10
LONG_tracking = SAPPER_SCALE=250 $(BIN)/pytest tests/oracle/test_tracked_positions.py -n auto
LONG_puzzles = SAPPER_SCALE=800 $(BIN)/pytest tests/property/test_many_puzzles.py -n auto
LONG_no-guess = SAPPER_SCALE=100 $(BIN)/pytest tests/unit/generators/test_no_guess.py -k certificates -n auto
LONG_fuzz = SAPPER_SCALE=50 $(BIN)/pytest tests/property/test_parsers.py tests/unit/formats -n auto
LONG_oracle = SAPPER_SCALE=20 $(BIN)/pytest tests/oracle -n auto
LONG_replays = SAPPER_SCALE=100 $(BIN)/pytest tests/unit/games/test_replays.py -n auto
LONG_pictures = SAPPER_PICTURES=200 $(BIN)/pytest tests/unit/pictures -rP
LONG_coverage = $(BIN)/pytest -m "not slow" -n auto --cov=sapper --cov-report=term:skip-covered --cov-report=html:build/coverage

# The table of docs/benchmarks.md beside every peer that is installed; PART=games prints one part.
bench: setup
	$(BIN)/python -m benchmarks.$(if $(PART),bench_$(PART),table)

# The documentation with its pictures, into build/docs; warnings are errors.
docs: setup
	for script in docs/*/*_pictures.py; do PYTHONPATH=. $(BIN)/python $$script || exit 1; done
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/docs
	@echo "open build/docs/index.html"

# A release in dist/: sdist and wheel; the wheel is tried without a compiler or a network.
dist: setup
	@printf "installing what builds a release:"; $(PIP) --group dist | $(PRINT_NAMES)
	rm -rf dist build/wheel && mkdir -p build/wheel
	$(BIN)/python -m build --no-isolation --sdist --outdir dist
	$(BIN)/python -m build --no-isolation --wheel --outdir build/wheel
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl || \
		{ echo "no manylinux tag here: the wheel is for this Linux"; cp build/wheel/*.whl dist; }
	$(BIN)/python tools/try_wheel.py dist/*.whl

# Train the networks from scratch: three rounds of data, each followed by a fit. A round takes two
# hours of two cores, and minutes of a GPU for the fit. Existing files are continued. SMALL=1 runs
# the same steps in minutes with numpy, on too few positions for a strong network. The network that reads pictures has its own
# command: docs/how-to/read-a-picture.md.
TRAIN_SECONDS ?= 3600
train: build/kernels.ready
ifdef SMALL
	$(BIN)/python -m training round --folder build/training-small --seconds 60 \
		--engine numpy --first 16 --second 8 --epochs 3 --batch 256 --fit-seconds 60 \
		--check-seconds 10
else
	$(PIP) '.[train]' | $(PRINT_NAMES)
	$(BIN)/python -m training round --round 1 --seconds $(TRAIN_SECONDS)
	$(BIN)/python -m training round --round 2 --seconds $(TRAIN_SECONDS)
	$(BIN)/python -m training round --round 3 --seconds $(TRAIN_SECONDS) --look-ahead --rounds 2 3
	$(BIN)/python -m training fit --round 3 --rounds 3 --name large --start none \
		--first 256 --second 64 --scalars 25 --fit-seconds 3600
endif

clean:
	rm -rf .venv build node_modules src/*.egg-info src/sapper/kernels/compiled_from.txt
	find src/sapper/kernels \( -name '*.so' -o -name '*.pyi' \) -delete
