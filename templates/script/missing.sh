
missing() { "$dry_run" || ! found "$@"; }
