#!/usr/bin/env bash
# Runs what the inputs ask for: $SPECS, $LINT, $OUT_DIR, $DEFAULTS, $SARIF. Each part runs, also after
# one that fails; the status at the end is 1 if any did. Findings become annotations; what the
# changes recreate, stop and cost is in the summary of the job.
set -uo pipefail

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

# The base of a pull request. Checkouts have one commit, so its base is fetched.
base_revision() {
  if [[ -z ${GITHUB_BASE_REF-} ]]; then
    echo "no pull request: nothing to compare with" >&2
    return 1
  fi
  git fetch --quiet --no-tags --depth=1 origin "+refs/heads/$GITHUB_BASE_REF:refs/remotes/origin/$GITHUB_BASE_REF" &&
    git rev-parse --verify --quiet "refs/remotes/origin/$GITHUB_BASE_REF"
}

# The exit status of diff is 1 for differences as well as for errors, which have no output.
compare() {
  local base spec text
  base=$(base_revision) || return 0
  for spec in "${specs[@]}"; do
    if [[ -z $(git ls-tree "$base" -- "$spec") ]]; then
      printf '%s is new.\n\n' "\`$spec\`" >>"$GITHUB_STEP_SUMMARY"
      continue
    fi
    text=$(flexslice diff "${defaults[@]}" --format markdown "$base:$spec" "$spec") || [[ -n $text ]] || return 1
    if [[ -n $text ]]; then
      printf '%s\n\n' "$text" | tee -a "$GITHUB_STEP_SUMMARY"
    fi
  done
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
