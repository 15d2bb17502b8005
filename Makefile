# Everything that has to hold before a change is merged: make check

CARGO ?= cargo

PYTHON ?= python3

NPM ?= npm

# What the browser tests drive.
export CHROMIUM ?= /usr/bin/chromium
# npm has no browser to download: Chromium is the system's.
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD = 1

.PHONY: check fmt lint doc test differential polars upi-client phh deny fuzz bench tables soak subsets class-table api-fuzz soak-server slurm web package serve web-test chromium python python-kills wheel bench-python

# The page comes first: what is compiled after it takes it in.
check: web fmt lint doc test differential slurm package web-test polars api-fuzz upi-client phh python deny fuzz
	@echo "everything holds"

fmt:
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path fuzz/Cargo.toml --check

lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	# The library alone, without the command; then with spot files.
	$(CARGO) clippy --package equipoise --lib --no-default-features --locked -- -D warnings
	$(CARGO) clippy --package equipoise --lib --no-default-features --features spot-file --locked -- -D warnings

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

# nextest runs no documentation tests, so these follow on their own.
test:
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
		$(CARGO) nextest run --workspace --locked && $(CARGO) test --workspace --doc --locked; \
	else \
		$(CARGO) test --workspace --locked; \
	fi

# Every number that is shown of random solutions against a slow evaluator; SPOTS=500 SEED=1000 for more, and others.
SPOTS ?= 12
SEED ?= 0
differential:
	$(CARGO) test --workspace --test command --no-run --locked
	$(PYTHON) crates/equipoise/tests/differential/run.py target/debug/equipoise $(SPOTS) $(SEED)

# A batch on a real Slurm of Debian's packages, on loopback: about two minutes, as root or by sudo. KILLS=100 kills more.
KILLS ?= 0
AS_ROOT = $(if $(filter 0,$(shell id -u)),,sudo env "PATH=$$PATH")
slurm:
	$(CARGO) test --workspace --test command --no-run --locked
	$(AS_ROOT) $(PYTHON) crates/equipoise/tests/slurm/run.py target/debug/equipoise $(KILLS)

# Whether polars opens the Parquet files; without --workspace dependencies would be compiled again.
polars: target/python/ready
	$(CARGO) test --workspace --test parquet --locked -- --ignored

target/python/ready: crates/equipoise/tests/python/requirements.txt
	$(PYTHON) -m venv target/python
	target/python/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# Requests made up from openapi.json, against the real binary: none may fail, hang or answer otherwise than documented.
api-fuzz: target/schemathesis/ready
	$(CARGO) test --workspace --test command --no-run --locked
	$(PYTHON) crates/server/tests/fuzz/run.py target/debug/equipoise target/schemathesis/bin/schemathesis

target/schemathesis/ready: crates/server/tests/fuzz/requirements.txt
	$(PYTHON) -m venv target/schemathesis
	target/schemathesis/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# A client of the text protocol from PyPI against the real binary, its replies against `equipoise show`.
upi-client: target/upi/ready
	$(CARGO) test --workspace --test command --no-run --locked
	target/upi/bin/python crates/upi/tests/client/run.py target/debug/equipoise

# Without dependencies of dependencies: the file lists what is imported, and pandas and matplotlib are not.
target/upi/ready: crates/upi/tests/client/requirements.txt
	$(PYTHON) -m venv target/upi
	target/upi/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	touch $@

# Random hands played by pokerkit from PyPI and by `equipoise history`, both ways; HANDS=5000 SEED=7 for more, and others.
HANDS ?= 500
phh: target/pokerkit/ready
	$(CARGO) test --workspace --test command --no-run --locked
	target/pokerkit/bin/python crates/histories/tests/pokerkit/run.py target/debug/equipoise $(HANDS) $(SEED)

target/pokerkit/ready: crates/histories/tests/pokerkit/requirements.txt
	$(PYTHON) -m venv target/pokerkit
	target/pokerkit/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# The Python package: wheels of the test profile in a new environment, pytest, and stubs against the extension.
python: target/python-tests/ready
	rm -rf target/wheels/debug
	target/python-tests/bin/maturin build --profile dev --out target/wheels/debug --interpreter target/python-tests/bin/python
	target/python-tests/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/debug/equipoise-*.whl
	target/python-tests/bin/python crates/python/tests/install.py target/wheels/debug/equipoise-*.whl
	target/python-tests/bin/python -m pytest --quiet crates/python/tests
	target/python-tests/bin/python -m mypy --package equipoise
	target/python-tests/bin/python -m mypy.stubtest equipoise._equipoise
	# It takes the interpreter that it finds on the path, whatever --pythonpath says.
	PATH="$(CURDIR)/target/python-tests/bin:$$PATH" pyright --verifytypes equipoise --ignoreexternal

# Kills of Dask's workers and schedulers at random, for the package that `make python` has installed.
python-kills: python
	target/python-tests/bin/python -m pytest --quiet -s crates/python/tests/test_distributed.py -k many_kills

target/python-tests/ready: crates/python/tests/requirements.txt
	$(PYTHON) -m venv target/python-tests
	target/python-tests/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# The wheels that are handed out, into target/wheels: the package, and the command with its page.
wheel: web target/python-tests/ready
	rm -rf target/wheels/release
	target/python-tests/bin/maturin build --release --out target/wheels/release --interpreter target/python-tests/bin/python
	target/python-tests/bin/maturin build --release --manifest-path crates/equipoise/Cargo.toml --out target/wheels/release
	$(PYTHON) crates/python/tests/install.py target/wheels/release/*.whl

# Against other packages of PyPI, answers first; fails if a ratio does not hold. For a quiet machine.
bench-python: target/python-bench/ready
	rm -rf target/wheels/bench
	target/python-bench/bin/maturin build --release --out target/wheels/bench --interpreter target/python-bench/bin/python
	target/python-bench/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/bench/equipoise-*.whl
	target/python-bench/bin/python crates/python/benches/peers.py

target/python-bench/ready: crates/python/benches/peers.txt
	$(PYTHON) -m venv target/python-bench
	target/python-bench/bin/python -m pip install --quiet --disable-pip-version-check maturin==1.16.0 numpy --requirement $<
	touch $@

# 200 clients at 1,000 requests a second, for a minute.
soak-server:
	$(CARGO) test --release --package equipoise-server --test api --locked -- --ignored --nocapture a_thousand_requests

# Advisories need a download of their own: `cargo deny check advisories`.
deny:
	@$(CARGO) deny --version >/dev/null 2>&1 || $(CARGO) install cargo-deny --locked
	$(CARGO) deny --workspace check licenses bans sources
	$(CARGO) deny --manifest-path fuzz/Cargo.toml check licenses bans sources

# Compiled so that the targets do not rot; `make test` runs their properties within bounds, CONTRIBUTING.md says how to run them longer.
fuzz:
	$(CARGO) check --manifest-path fuzz/Cargo.toml --locked

# Takes six minutes on a quiet machine; fails if a line is slower or larger than it must be.
bench:
	$(CARGO) build --release --locked --package equipoise-bench --package equipoise
	target/release/equipoise-bench race --document > docs/benchmarks.md

# The tables of docs/algorithms.md, storage.md, warm-start.md and abstraction.md: all of them, or those that TABLES names
# (`make tables TABLES='holdem storage'`). Takes a quarter of an hour.
TABLES ?=
tables:
	$(CARGO) run --release --locked --package equipoise-bench -- tables $(TABLES)

# A thousand kills in the middle of solving and saving; ten of them are part of the tests. Takes about a quarter of an hour.
soak:
	EQUIPOISE_KILLS=1000 $(CARGO) test --workspace --test command --locked -- kill_loses_no_finished_result
	# Two hundred rounds in which two runs of a batch are killed; four of them are part of the tests.
	EQUIPOISE_BATCH_KILLS=200 $(CARGO) test --workspace --test command --locked -- kill_loses_no_finished_job
	# Tasks, nodes and workers of clusters: of Slurm, then of Dask.
	$(MAKE) slurm KILLS=100
	EQUIPOISE_DASK_KILLS=100 $(MAKE) python-kills
	# Fifty times as many changes of the fuzz targets' seeds as the tests try.
	EQUIPOISE_FUZZ_RUNS=50 $(CARGO) test --workspace --test parsers --locked -- seeds::
	# Five hundred other solutions whose numbers are held against the slow evaluator.
	$(MAKE) differential SPOTS=500 SEED=1000

# Whether the subsets of flops that ship are what is derived. Takes a minute or two.
subsets:
	$(CARGO) test --workspace --lib --locked -- --ignored what_ships_is_what_is_derived

# Whether the equities of hand classes that ship are what is counted. Takes some ten seconds.
class-table:
	$(CARGO) test --package equipoise-equity --lib --locked -- --ignored what_ships_is_what_is_derived

# The page, into crates/server/page/dist; the next build of the program takes it in. Needs Node 20.19 or newer.
web:
	cd web && $(NPM) ci --no-audit --no-fund && $(NPM) run build

# Packs all published crates without asking a registry (dependencies have to be there: after a build they are), and looks
# into the packages. Takes seconds, since nothing is compiled; RELEASE.md has the command that compiles what was packed.
package: web
	$(CARGO) package --workspace --exclude equipoise-bench --exclude equipoise-python --no-verify --allow-dirty --locked --offline --quiet
	CARGO="$(CARGO)" $(PYTHON) .ci/packages.py

# The page in the browser, with the program behind it.
serve: web
	$(CARGO) run --release --locked -- serve --open

# The page's types and logic, then a browser against the real binary. Made by way of a test, since without the packages
# that only tests need, half of it would be compiled again.
web-test: web chromium
	cd web && $(NPM) run check && $(NPM) run unit
	$(CARGO) test --workspace --test command --no-run --locked
	cd web && EQUIPOISE=target/debug/equipoise $(NPM) run e2e

chromium:
	@test -x "$(CHROMIUM)" || { command -v apt-get >/dev/null && apt-get update && apt-get install --yes --no-install-recommends chromium; } || \
		{ echo "the browser tests need Chromium: install it, or name it with CHROMIUM=/path/to/chromium" >&2; exit 1; }
