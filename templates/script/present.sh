
present() { "$dry_run" || found "$@"; }
