# The front door: a few words for what people do most. CMakePresets.json has all the ways to build.
# Each goal first installs what it lacks (scripts/setup; the list is scripts/packages.txt).
.DEFAULT_GOAL := help
.PHONY: help demo test test-scale sanitize fuzz build bench format lint clean

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 19

demo: build  ## build the program and show it at work on the sample data
	@scripts/demo

build:  ## build the program build/release/espalier
	@scripts/setup build
	@scripts/build release espalier_cli

test:  ## build and run the tests; SUITES="lint units" picks some
	@scripts/setup build test python
	@python3 tests/run $(SUITES)

test-scale:  ## run the tests of Arrow and Parquet, for which it installs pyarrow into .venv
	@scripts/setup build test scale
	@python3 tests/run scale

sanitize:  ## run the unit tests with sanitizers, without each fast path of the engine, and the slow tests
	@scripts/setup build test python
	@python3 tests/run asan slow paths

fuzz:  ## look for inputs that break a reader, an expression or a model; SECONDS=300 of CPU time for each target
	@scripts/setup build fuzz
	@tests/fuzz/run $(or $(SECONDS),300)

bench:  ## run the benchmarks; ARGS=--benchmark_filter=Forest picks some
	@scripts/setup build bench
	@cmake --preset release --log-level=WARNING >/dev/null
	@scripts/build release espalier_bench
	@build/release/espalier_bench $(ARGS)

format:  ## format all C++ files in place
	@scripts/setup lint
	@scripts/format

lint:  ## check format, public headers, naming, types and likely bugs
	@scripts/setup build lint python
	@scripts/lint

clean:  ## remove all that was built
	rm -rf build
