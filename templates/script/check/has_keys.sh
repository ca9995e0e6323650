
# Whether an object has these keys. Only names are printed: values are nobody's business here.
# shellcheck disable=SC2016 # kubectl expands it
key_names='go-template={{range $key, $value := .data}}{{$key}} {{end}}{{range $key, $value := .binaryData}}{{$key}} {{end}}'
has_keys() {
  local what=$1 keys=${2#keys=} key
  ask "$what" "${@:3}" --output="$key_names" || return 0
  for key in ${keys//,/ }; do
    [[ " $answer" == *" $key "* ]] && continue
    missing "$what" "no key $key"
    return
  done
  ok "$what"
}
