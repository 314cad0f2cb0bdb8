RATELIMIT_ROOT = $(top_srcdir)/..
# As in the Makefile above: make PROFILE=fast compiles quicker.
PROFILE ?= release
RATELIMIT_TARGET = $(or $(CARGO_TARGET_DIR),$(RATELIMIT_ROOT)/target)
RATELIMIT_SOURCES = $(shell find $(RATELIMIT_ROOT)/src $(RATELIMIT_ROOT)/lua -type f) \
	$(addprefix $(RATELIMIT_ROOT)/,build.rs Cargo.toml Cargo.lock)

# Up to date after `make`, so that `sudo make install` needs no cargo.
$(phplibdir)/ratelimit.so: $(RATELIMIT_SOURCES)
	PHP_CONFIG=$$(command -v $(PHP_CONFIG)) PHP=$(PHP_EXECUTABLE) $(CARGO) rustc --locked --profile $(PROFILE) --features php \
		--lib --crate-type cdylib --manifest-path $(RATELIMIT_ROOT)/Cargo.toml
	mkdir -p $(phplibdir)
	cp $(RATELIMIT_TARGET)/$(PROFILE)/libratelimit.so $@
