#!/usr/bin/env bash
# Runs what the inputs ask for: $SPECS, $LINT, $OUT_DIR, $DEFAULTS, $SARIF. Each part runs, also after
# one that fails; the status at the end is 1 if any did. Findings become annotations; what the
# changes recreate, stop and cost is in the summary of the job.

# macOS has bash 3.2, where an empty list is an unset variable.
set -o pipefail

# shellcheck disable=SC2153
read -rd '' -a specs <<<"$SPECS"
read -rd '' -a linted <<<"$LINT"
# shellcheck disable=SC2153
read -rd '' -a files <<<"$DEFAULTS"
defaults=()
for file in "${files[@]}"; do defaults+=(--defaults "$file"); done
failed=()

part() { # NAME COMMAND…
  echo "::group::$1"
  "${@:2}" || failed+=("$1")
  echo "::endgroup::"
}

# Finds the commit that the pull request is merged into: the first parent of GitHub's merge commit,
# else the tip of the base branch. A checkout of one commit lacks both, and then one is fetched
# without its history.
base_commit() {
  local wanted parents=()
  if [[ $(git rev-parse HEAD) == "${GITHUB_SHA-}" ]]; then
    read -rd '' -a parents < <(git cat-file commit HEAD | sed -n '/^$/q; s/^parent //p')
  fi
  if ((${#parents[@]} != 2)); then parents=(); fi
  if ((${#parents[@]})) && git rev-parse --verify --quiet "${parents[0]}^{commit}"; then return; fi
  for wanted in "${parents[@]:0:1}" "refs/heads/$GITHUB_BASE_REF"; do
    if fetch_alone "$wanted"; then
      git rev-parse --verify FETCH_HEAD
      return
    fi
  done
  if git rev-parse --verify --quiet "refs/remotes/origin/$GITHUB_BASE_REF"; then return; fi
  echo "::error::the base branch $GITHUB_BASE_REF cannot be fetched, so there is nothing to compare with; check out with \`fetch-depth: 0\`, or without \`persist-credentials: false\`" >&2
  return 1
}

# Later steps see the history and the branches that they saw before.
fetch_alone() { # COMMIT
  local shallow status=0
  shallow=$(git rev-parse --git-path shallow)
  if [[ ! -e $shallow ]]; then
    git fetch --quiet --no-tags --refmap= origin "$1"
    return
  fi
  cp "$shallow" "$shallow.before"
  git fetch --quiet --no-tags --refmap= --depth=1 origin "$1" || status=$?
  mv "$shallow.before" "$shallow"
  return "$status"
}

# The exit status of diff is 1 for differences as well as for errors, which have no output.
compare() {
  local base text
  if [[ -z ${GITHUB_BASE_REF-} ]]; then
    echo "no pull request: nothing to compare with"
    return
  fi
  base=$(base_commit) || return 1
  text=$(flexslice diff "${defaults[@]}" --format markdown --since "$base" "${specs[@]}") || [[ -n $text ]] || return 1
  printf '%s\n\n' "$text" | tee -a "$GITHUB_STEP_SUMMARY"
}

lint_sarif() {
  flexslice lint --format sarif "${linted[@]}" >"$SARIF" || [[ -s $SARIF ]]
}

if ((${#specs[@]})); then
  part "flexslice check" flexslice check "${defaults[@]}" --format github "${specs[@]}"
  if [[ -n $OUT_DIR ]]; then
    part "flexslice compile --check" flexslice compile --check "${defaults[@]}" --out-dir "$OUT_DIR" "${specs[@]}"
  fi
fi
if ((${#linted[@]})); then
  part "flexslice lint" flexslice lint --format github "${linted[@]}"
  if [[ -n $SARIF ]]; then part "SARIF" lint_sarif; fi
fi
if ((${#specs[@]})); then part "flexslice diff" compare; fi

if ((${#failed[@]})); then
  printf '::error::failed: %s\n' "$(printf '%s, ' "${failed[@]}" | sed 's/, $//')"
  exit 1
fi
