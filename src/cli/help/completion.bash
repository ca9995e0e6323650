# Completion of flexslice for bash, made by `flexslice completion bash`.
# For this shell: source <(flexslice completion bash)

# From the words of $1, the last of a list separated by commas.
_flexslice_words() {
  local IFS=$' \n' before=''
  [[ $current == *,* ]] && before=${current%,*},
  # shellcheck disable=SC2207
  COMPREPLY+=($(compgen -P "$before" -W "$1" -- "${current##*,}"))
  # `path=` goes on with a value.
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}

# Files with one of these endings, and directories; all files without an ending.
_flexslice_files() {
  local IFS=$'\n' ending
  compopt -o filenames 2>/dev/null
  # shellcheck disable=SC2207
  if [[ $# == 0 ]]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  else
    COMPREPLY+=($(
      compgen -d -- "$current"
      for ending; do compgen -f -X "!*.$ending" -- "$current"; done
    ))
  fi
}

_flexslice_directories() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  # shellcheck disable=SC2207
  COMPREPLY+=($(compgen -d -- "$current"))
}

_flexslice() {
  local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command='' word
  COMPREPLY=()
  # Bash cuts --option=value into three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $option == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || { command=$word; break; }
  done
  if [[ -z $command ]]; then
    _flexslice_words '@COMMANDS@ --help --version'
    return
  fi
  case $command,$option in
@OPTIONS@
  esac
  case $command,$current in
@WORDS@
  esac
}

complete -F _flexslice flexslice
