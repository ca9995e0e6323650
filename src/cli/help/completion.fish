# Completion of flexslice for fish, made by `flexslice completion fish`.
# To keep: flexslice completion fish > ~/.config/fish/completions/flexslice.fish

complete -c flexslice -f
complete -c flexslice -n __fish_use_subcommand -l help -d 'show the commands'
complete -c flexslice -n __fish_use_subcommand -l version -d 'show the version'
@COMMANDS@
