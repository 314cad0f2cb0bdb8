dnl phpize's way in: cargo compiles what is in the folder above.

PHP_ARG_ENABLE([ratelimit],
  [whether to enable ratelimit],
  [AS_HELP_STRING([--enable-ratelimit], [Enable rate limits settled in Redis])],
  [yes])

if test "$PHP_RATELIMIT" != "no"; then
  AC_PATH_PROG([CARGO], [cargo], [no], [$PATH:$HOME/.cargo/bin])
  if test "$CARGO" = "no"; then
    AC_MSG_ERROR([cargo not found: install Rust 1.88 or newer, see https://rustup.rs])
  fi
  AC_PATH_PROG([CLANG], [clang], [no])
  if test "$CLANG" = "no"; then
    AC_MSG_ERROR([clang not found, which reads the headers of PHP: on Debian apt-get install clang libclang-dev])
  fi

  PHP_SUBST([CARGO])
  PHP_SUBST([PHP_CONFIG])
  PHP_MODULES="$PHP_MODULES \$(phplibdir)/ratelimit.so"
  PHP_SUBST([PHP_MODULES])
  PHP_ADD_MAKEFILE_FRAGMENT([Makefile.frag])
fi
