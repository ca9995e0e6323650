#!/usr/bin/env bash
# Everything heavy, or the steps that are named, and a table of results: tests/prove.sh [STEP…]
# FUZZ_SECONDS is the time for each fuzz target. Logs lie in build/prove.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
steps=(dev clang asan tsan wasm arm64 release clang-tidy coverage install extend mutation slips lives scripts bench fuzz)
logs=build/prove

# Lives and all scripts are bash, gcloud and simulators for nearly all of their time: the release program does for them.
preset() {
  cmake --preset "$1" && cmake --build --preset "$1" --parallel "$(nproc)" &&
    ctest --preset "$1" --build-config full --label-exclude '^(install|slips)-full$' --exclude-regex '^(life-5000|e2e-.*-whole)$' --parallel "$(nproc)"
}

# With the release program: what ./bootstrap test leaves out.
full() { # CTEST OPTION…
  cmake --preset release && cmake --build --preset release --parallel "$(nproc)" &&
    ctest --test-dir build/release --build-config full --output-on-failure "$@"
}

# The suites with the program of another machine in place of the native one.
machine() { # MACHINE PRESET
  cmake --preset "$2" && cmake --build --preset "$2" --parallel "$(nproc)" && /usr/bin/python3 tests/install/machines/suites.py "$1"
}

# Two trial releases in two folders have the same bytes.
releases() {
  local folder
  folder=$(mktemp -d)
  for each in one two; do tools/release/release --trial "$folder/$each" || return 1; done
  cmp "$folder/one/SHA256SUMS" "$folder/two/SHA256SUMS" && rm -r "$folder"
}

step() {
  case $1 in
    lives) full --tests-regex '^life-5000$' ;;
    dev | clang | asan | tsan) preset "$1" ;;
    wasm) machine wasm web ;;
    arm64) machine arm64 arm64 ;;
    release) releases ;;
    clang-tidy) tests/tidy/clang_tidy.sh ;;
    coverage) python3 tests/coverage.py ;;
    install) full --label-regex '^install' ;; # in a clean Debian root, which wants root and a mirror
    extend) python3 tests/extend/test_extend.py ;;
    mutation) python3 tests/mutation/run.py ;;
    slips) full --label-regex '^slips-full$' ;; # every change at every door
    scripts) full --tests-regex '^e2e-.*-whole$' --parallel $(($(nproc) + 1)) ;; # of all examples, and stopped at each step
    bench) full --label-regex '^bench$' && python3 tests/bench/bench.py ;;
    fuzz) python3 tests/fuzz/run.py --seconds "${FUZZ_SECONDS:-60}" ;;
  esac
}

for chosen in "$@"; do
  if [[ " ${steps[*]} " != *" $chosen "* ]]; then
    echo "usage: tests/prove.sh [STEP…], steps: ${steps[*]}" >&2
    exit 2
  fi
done
if (($# > 0)); then steps=("$@"); fi

mkdir -p "$logs"
status=0
printf '%-12s %-7s %7s\n' step result seconds
for each in "${steps[@]}"; do
  began=$SECONDS
  if step "$each" >"$logs/$each.log" 2>&1; then
    result=passed
  else
    result=FAILED status=1
  fi
  printf '%-12s %-7s %7d\n' "$each" "$result" $((SECONDS - began))
done
if ((status)); then echo "see $logs"; fi
exit $status
