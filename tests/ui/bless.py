"""Writes the goldens of the ui cases and of lint anew from the program. Read the diff before you commit it.

Arguments choose cases by the beginning of their names.
"""
import sys

import importcases
import lintcases
import uicases

for case in uicases.cases():
    if sys.argv[1:] and not any(case.name.startswith(each) for each in sys.argv[1:]):
        continue
    outcome = uicases.Outcome(case)
    uicases.remove(case)
    case.golden(".stderr").write_bytes(outcome.stderr)
    if outcome.fixed is not None:
        case.golden(".fixed").write_text(outcome.fixed)

for case in lintcases.cases():
    if sys.argv[1:] and not any(case.name.startswith(each) for each in sys.argv[1:]):
        continue
    outcome = lintcases.Outcome(case)
    for ending, text in ((".out", outcome.stdout), (".fixed", outcome.fixed)):
        case.golden(ending).unlink(missing_ok=True)
        if text:
            case.golden(ending).write_text(text)

for case in importcases.cases():
    if sys.argv[1:] and not any(case.name.startswith(each) for each in sys.argv[1:]):
        continue
    outcome = importcases.Outcome(case)
    for ending, text in ((".out", outcome.stderr), (".spec", outcome.stdout)):
        case.golden(ending).unlink(missing_ok=True)
        if text:
            case.golden(ending).write_text(text)
