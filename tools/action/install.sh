#!/usr/bin/env bash
# Installs the npm package $FLEXSLICE_VERSION, a version or files of packages, and puts flexslice on the
# PATH of later steps. `latest` is asked for in each run; any other version is taken from the cache.
set -euo pipefail

prefix=~/.cache/flexslice-action
read -ra wanted <<<"$FLEXSLICE_VERSION"
if ((${#wanted[@]} == 0)); then
  echo "::error::the input \`version\` is empty; remove it, or write a version such as 1.0.0"
  exit 1
fi
if [[ ${wanted[0]} != *.tgz ]]; then wanted=("flexslice@${wanted[0]#v}"); fi

if ! command -v npm >/dev/null; then
  echo "::error::npm is missing; add a step with actions/setup-node before this action"
  exit 1
fi
if [[ ${wanted[0]} == flexslice@latest || ! -x $prefix/bin/flexslice ]]; then
  if ! npm install --global --prefix "$prefix" --no-audit --no-fund --loglevel=error "${wanted[@]}"; then
    echo "::error::npm cannot install ${wanted[*]}; check the input \`version\`"
    exit 1
  fi
fi
# On Windows npm puts commands into the prefix itself.
printf '%s\n' "$prefix/bin" "$prefix" >>"$GITHUB_PATH"
PATH=$prefix/bin:$prefix:$PATH flexslice --version
