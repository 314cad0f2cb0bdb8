# `make help` lists the targets; each recipe is short, longer work lives in tools/ and tests/.
.DEFAULT_GOAL := help
.NOTPARALLEL:
export PATH := $(HOME)/.cargo/bin:$(PATH)

CARGO ?= cargo
# For another PHP than the one in PATH: make install PHP_CONFIG=/opt/php/bin/php-config
ifdef PHP_CONFIG
PHP ?= $(shell $(PHP_CONFIG) --php-binary)
export PHP PHP_CONFIG
endif
PHP ?= php
PHP_CONFIG ?= php-config
PHPUNIT ?= $(firstword $(wildcard vendor/bin/phpunit) $(shell command -v phpunit))
# release, or fast for the edit loop: make build PROFILE=fast
PROFILE ?= release
PREFIX ?=
DESTDIR ?=

version := $(shell sed -n 's/^version = "\(.*\)"/\1/p;T;q' Cargo.toml)
target := $(or $(CARGO_TARGET_DIR),target)/$(PROFILE)
module := modules/ratelimit.so
# Beside the library for Rust that the tests use, cargo would link the extension without optimizing across crates.
linked := --crate-type cdylib
php := $(PHP) -d extension=$(CURDIR)/$(module)

scripts := $(shell grep -rlE '^\#!.*sh$$' .ci tools packaging)

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Compile modules/ratelimit.so (PROFILE=fast compiles quicker and runs slower)
	tools/install-dependencies build
	$(CARGO) rustc --locked --profile $(PROFILE) --features php --lib $(linked)
	install -D -m 644 $(target)/libratelimit.so $(module)

.PHONY: test
test: install-for-test style build test-core test-php ## Everything that must hold: format, lints, stubs, all tests

.PHONY: install-for-test
install-for-test:
	tools/install-dependencies build style test

.PHONY: style
style: ## Formatting of Rust and PHP, clippy and rustdoc with warnings denied, shell scripts, Composer manifests
	tools/install-dependencies build style
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) clippy --locked --all-targets --features php -- -D warnings
	RUSTDOCFLAGS='-D warnings -A rustdoc::private-intra-doc-links' $(CARGO) doc --locked --no-deps --document-private-items --features php
	shellcheck --severity=warning $(scripts)
	@if command -v phpcs; then phpcs -q; else echo 'style: PSR-12 is not checked: this release has no php-codesniffer'; fi
	tools/validate-manifests

.PHONY: analyse
analyse: ## Static analysis of the PHP library by mago, which the first run compiles: ten minutes
	tools/install-dependencies test
	tools/analyse

.PHONY: lint
lint: style analyse ## All that is checked without running it

.PHONY: test-core
test-core: ## The core, without PHP
	$(CARGO) test --locked

.PHONY: test-php
test-php: ## The built extension, on real servers (PHPUNIT_ARGS="--filter Peek" runs some)
	$(php) $(PHPUNIT) $(PHPUNIT_ARGS)

.PHONY: memcheck
memcheck: ## Every method under valgrind: no error and no definite leak of ours
	tools/install-dependencies build test memcheck
	$(CARGO) build --locked --profile fast --features php
	tests/memcheck/run "$(abspath $(or $(CARGO_TARGET_DIR),target)/fast/libratelimit.so)"

.PHONY: demo
demo: build ## See it work: a Redis, a PHP-FPM pool, bursts through HTTP, the answers over time
	tools/install-dependencies demo
	$(php) demo/run.php

.PHONY: bench
bench: build ## Measure every limit beside PING, hand-written Lua, Predis, Laravel and Symfony: docs/bench.json, .svg
	tools/install-dependencies test
	$(php) tests/bench/run.php

.PHONY: figures
figures: build ## Draw docs/algorithms.svg anew, and measure what docs/capacity.md says
	tools/install-dependencies test
	$(php) tools/plot-algorithms.php > docs/algorithms.svg
	$(php) tests/bench/capacity.php

.PHONY: faults
faults: build ## Measure what an outage costs, and ten minutes of mixed load; wants a quiet machine
	tools/install-dependencies test
	$(php) tests/faults/measure.php

.PHONY: install
install: | $(module) ## Build, if that is not done, and install where this PHP looks for extensions (DESTDIR, PREFIX)
	tools/module install "$(PHP_CONFIG)" "$(DESTDIR)" "$(PREFIX)" "$(module)"

$(module):
	$(MAKE) build

.PHONY: uninstall
uninstall: ## Take away what make install put there
	tools/module uninstall "$(PHP_CONFIG)" "$(DESTDIR)" "$(PREFIX)"

.PHONY: deb
deb: build ## Pack a Debian package for this PHP: dist/php…-ratelimit_….deb
	tools/install-dependencies deb
	tools/build-deb "$(PHP_CONFIG)" "$(module)" "$(version)" dist

.PHONY: dist
dist: ## Pack the committed source, from which all but matrix, test-zts and dist works: dist/ratelimit-….tar.gz
	mkdir -p dist
	git archive --prefix=ratelimit-$(version)/ -o dist/ratelimit-$(version).tar.gz HEAD

.PHONY: matrix
matrix: ## All tests of the commit in clean Debian systems of three releases and on PHP 8.5; SYSTEMS="trixie forky" picks some
	tools/matrix/run $(SYSTEMS)

.PHONY: test-zts
test-zts: ## The extension's tests, and real threads, on a thread-safe PHP built from Debian's source
	tools/zts/test

.PHONY: release-check
release-check: ## Check all that a release needs, and list what is then done by hand
	tools/release-check "$(version)"

.PHONY: clean
clean: ## Remove what was built
	$(CARGO) clean
	rm -rf modules build dist .phpunit.cache .phpunit.result.cache
