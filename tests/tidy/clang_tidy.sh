#!/usr/bin/env bash
# clang-tidy over src, tools and tests, by .clang-tidy: tests/tidy/clang_tidy.sh [BUILD [FILE…]]. Wants a build of the preset `clang`; makes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${1:-build/clang}
cmake --preset clang -B "$build" --log-level=WARNING >/dev/null
cmake --build "$build" --target flexslice_core -- --quiet # the tables it generates
files=("${@:2}")
if ((${#files[@]} == 0)); then files=("$PWD/(src|tools|tests)/"); fi
command -v run-clang-tidy >/dev/null || { echo "run-clang-tidy is missing" >&2; exit 1; }
found=$(run-clang-tidy -quiet -j "$(nproc)" -p "$build" "${files[@]}" 2>/dev/null | sed 's/\x1b\[[0-9;]*m//g' |
  grep --extended-regexp '^[^ ]+:[0-9]+:[0-9]+: (error|warning): ' | sort --unique || true)
if [[ $found ]]; then
  printf '%s\n' "${found//"$PWD/"/}"
  exit 1
fi
echo 'clang-tidy: clean'
