#!/usr/bin/env bash
# Prints what bash offers for the words behind `flexslice`, with the completion script that is the first argument.
# shellcheck disable=SC1090
source "$1"
shift
COMP_WORDS=(flexslice "$@")
COMP_CWORD=$#
COMP_LINE="flexslice $*"
COMP_POINT=${#COMP_LINE}
function_name=$(complete -p flexslice | sed 's/.*-F \([^ ]*\).*/\1/')
"$function_name" flexslice "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
