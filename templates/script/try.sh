
# A failure is reported at the end: it must not keep a later step from deleting what is billed.
failed=()
try() { "$@" || failed+=("$doing"); }
