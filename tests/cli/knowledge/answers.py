"""The stored answers: the first line of each file in expected/ is the command line, the rest is what it prints. Run as a program, this
writes them anew; read the diff before you commit it."""
import shlex

import knowledge

FOLDER = knowledge.ROOT / "tests/cli/knowledge/expected"


def answers():
    return sorted(FOLDER.glob("*.txt"))


def made(file):
    """Exit status, the text that the file should have, and stderr."""
    command = file.read_text().splitlines()[0]
    status, out, err = knowledge.run(*shlex.split(command.removeprefix("$ flexslice ")), cwd=knowledge.ROOT)
    return status, f"{command}\n{out}", err


if __name__ == "__main__":
    for answer in answers():
        answer.write_text(made(answer)[1])
