
# Whether the tag of a controller's image is one of these releases, or later on the same branch, or
# later than all of them.
has_tag() {
  local what=$1 releases=${2#releases=} release tag newest
  ask "$what" "${@:3}" || return 0
  tag=${answer##*:v}
  tag=${tag%%@*}
  if [[ ! $tag =~ ^[0-9]+\.[0-9]+\.[0-9]+ ]]; then
    cannot_tell "$what" "no version in the image '$answer'"
    return
  fi
  for release in ${releases//,/ }; do
    newest=$(printf '%s\n' "$release" "$tag" | sort -V | tail -n 1)
    [[ $newest == "$tag" && ${release%.*} == "${tag%.*}" ]] && break
  done
  if [[ $newest == "$tag" ]]; then
    ok "$what: $tag"
  else
    missing "$what" "it has $tag"
  fi
}
