"""Strings that have gone wrong somewhere: in YAML, in a shell, in a terminal, in a template."""

STRINGS = [
    # quotes and blanks
    "'", '"', "it's", '"quoted"', "'''", "'; touch pwned; '", '"; touch pwned; "', "\\", "\\\\", "a\\", "\\n", "\\'", " ", "  ",
    "a ", " a", "a\t", "\ta", "a\tb", "a  b", "", "\n", "a\n", "\na", "a\nb", "a\n\nb\n", "a\n\n", "a\r\nb", "a\rb", " \n a", "a \nb",
    # what shells expand
    "$(touch pwned)", "`touch pwned`", "$HOME", "${HOME}", "$((1+1))", "$$", "$'\\n'", "a;touch pwned", "a|b", "a&&b", "&", ">pwned",
    "<(x)", "*", "?", "[a-z]", "~", "~/x", "{a,b}", "!", "!!", "a!b", "#", "# a", "a #b", "%s", "%n", "-", "--", "-n", "-rf", "--all",
    "--help", "--dry-run", "a=b", "PATH=x", "(", ")", "(touch pwned)", "\x01", "\x1b[31m", "\x7f", "\b",
    # what YAML reads as something else
    "true", "True", "false", "yes", "no", "on", "off", "y", "n", "Y", "N", "null", "~", "Null", "0", "1", "-1", "007", "0x10", "0o17",
    "0b1", "1e3", "1_000", "1.5", ".5", "1.", ".inf", ".nan", "1:30", "2001-12-14", "12:30:45", "=", "<<", ":", ": ", "a: b", "a:",
    "- a", "? a", "[a]", "{a: b}", "{}", "[]", ",", "&a", "*a", "!a", "!!int 1", "|", ">", "|-", "%YAML 1.2", "@a", "---", "...",
    "--- a", "---\na: b\n", "a\n---\nb\n", "a\n...\nb\n",
    # what templates and Kubernetes expand
    "${name}", "$${x}", "{{ .x }}", "{{", "%{x}", "$(V0)", "$$(V0)", "<% x %>", "$when", "$each",
    # characters
    "é", "日本語", "😀", "👩‍👩‍👧", "\u00a0", "\u2028", "\u2029", "\u0085", "a\u0085b", "\ufeff", "\u202e", "a\u200bb", "\uffff", "\U0010ffff",
    # lengths
    "x" * 300, "word " * 100 + "end", "'" * 200, "\n" * 50,
]
