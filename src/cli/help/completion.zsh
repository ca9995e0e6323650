#compdef flexslice
# Completion of flexslice for zsh, made by `flexslice completion zsh`: a file named _flexslice in a directory of $fpath.

_flexslice() {
  local -a commands=(
@COMMANDS@
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[show the commands]' '--version[show the version]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
@OPTIONS@
  esac
}

# Read by the completion system, or sourced.
if [[ $funcstack[1] == _flexslice ]]; then
  _flexslice "$@"
else
  compdef _flexslice flexslice
fi
