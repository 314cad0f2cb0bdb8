# `make help` lists the targets; each recipe is short, longer work lives in tools/ and tests/.
.DEFAULT_GOAL := help
.NOTPARALLEL:
export PATH := $(HOME)/.cargo/bin:$(PATH)

CARGO ?= cargo
PHP ?= php
PHP_CONFIG ?= php-config
PHPUNIT ?= $(firstword $(wildcard vendor/bin/phpunit) $(shell command -v phpunit))
# release, or fast for the edit loop: make build PROFILE=fast
PROFILE ?= release
PREFIX ?=
DESTDIR ?=

target := $(or $(CARGO_TARGET_DIR),target)/$(PROFILE)
module := modules/ratelimit.so
php := $(PHP) -d extension=$(CURDIR)/$(module)

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Compile modules/ratelimit.so (PROFILE=fast compiles quicker and runs slower)
	tools/install-dependencies build
	$(CARGO) build --locked --profile $(PROFILE) --features php
	install -D -m 644 $(target)/libratelimit.so $(module)

.PHONY: test
test: install-for-test lint build test-core test-php ## Everything that must hold: format, lints, stubs, all tests

.PHONY: install-for-test
install-for-test:
	tools/install-dependencies build test

.PHONY: lint
lint: ## Formatting, clippy with warnings denied, composer.json
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) clippy --locked --all-targets --features php -- -D warnings
	composer validate --strict --no-interaction

.PHONY: test-core
test-core: ## The core, without PHP
	$(CARGO) test --locked

.PHONY: test-php
test-php: ## The built extension, on real servers
	$(php) $(PHPUNIT) $(PHPUNIT_ARGS)

.PHONY: demo
demo: build ## See it work: a Redis, a PHP-FPM pool, bursts through HTTP, the answers over time
	tools/install-dependencies demo
	$(php) demo/run.php

.PHONY: bench
bench: build ## Measure latency beside phpredis with hand-written Lua
	tools/install-dependencies test
	$(php) tests/bench/run.php

.PHONY: install
install: ## Install modules/ratelimit.so where this PHP looks for extensions (DESTDIR, PREFIX)
	tools/install-module "$(PHP_CONFIG)" "$(module)" "$(DESTDIR)" "$(PREFIX)"

.PHONY: clean
clean: ## Remove what was built
	$(CARGO) clean
	rm -rf modules build .phpunit.cache .phpunit.result.cache
