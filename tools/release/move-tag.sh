#!/usr/bin/env bash
# Moves the tag by which the action is used, v1 for v1.2.0, to the release VERSION, which is checked
# out. A release that is older than the newest one of origin leaves it.
#
# usage: tools/release/move-tag.sh VERSION
set -euo pipefail
version=v${1#v}
major=${version%%.*}
newest=$(git ls-remote --refs --tags origin "$major.*" | sed 's|.*refs/tags/||' | sort --version-sort | tail -n 1)
if [[ $newest != "$version" ]]; then
  echo "$major stays: the newest release is ${newest:-none}, not $version"
  exit 0
fi
git push --quiet --force origin "HEAD:refs/tags/$major"
echo "$major is $version now"
