#!/usr/bin/env bash
# Publishes the npm packages of FOLDER: those with a program first, since the main one asks for them.
# What the registry has already is left out, so that a run that failed can be repeated. npm makes the
# provenance where GitHub or GitLab runs it.
#
# usage: tools/release/publish.sh FOLDER
set -euo pipefail
shopt -s nullglob
# npm keeps a token with the host that it is for.
if [[ -n ${NODE_AUTH_TOKEN:-} ]]; then
  registry=$(npm config get registry)
  npm config set "${registry#https:}:_authToken" "$NODE_AUTH_TOKEN"
fi
files=("$1"/flexslice-linux-*.tgz "$1"/flexslice-[0-9]*.tgz)
if ((${#files[@]} < 2)); then
  echo "publish.sh: $1 lacks the npm packages of a release" >&2
  exit 1
fi
for file in "${files[@]}"; do
  package=$(tar -xOf "$file" package/package.json | node -p 'const said = JSON.parse(require("fs").readFileSync(0)); said.name + "@" + said.version')
  if [[ -n $(npm view "$package" version 2>/dev/null) ]]; then
    echo "$package is published already"
  else
    # npm takes a path without ./ for a repository.
    npm publish "$(realpath "$file")" --access public --provenance
  fi
done
