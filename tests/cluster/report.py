"""The table of what was tried, printed at the end of a module and kept as a file of the build for a report."""

import os
from pathlib import Path


class Table:
    """A Markdown table of two columns."""

    def __init__(self, title):
        self.title, self.rows = title, []

    def row(self, what, result):
        self.rows.append((what, result))

    def text(self):
        cells = [(what.replace("|", "\\|"), result.replace("|", "\\|")) for what, result in self.rows]
        return "\n".join([f"| {self.title} | result |", "| --- | --- |", *(f"| {what} | {result} |" for what, result in cells)])

    def finish(self):
        """Prints it, and writes $FLEXSLICE_BUILD/cluster/TITLE.md."""
        if not self.rows:
            return
        print(f"\n{self.text()}\n", flush=True)
        if "FLEXSLICE_BUILD" in os.environ:
            path = Path(os.environ["FLEXSLICE_BUILD"], "cluster", self.title.replace(" ", "-") + ".md")
            path.parent.mkdir(exist_ok=True)
            path.write_text(self.text() + "\n", encoding="utf-8")
