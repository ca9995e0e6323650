"""lint says that a number of nodes is wrong exactly where the steps of a workflow, each run by a bash of its own, pass a wrong one on."""
import re
import shutil
import unittest

import bench
import workflows


EXPRESSION = re.compile(r"\$\{\{ *([a-z]+)\.(\w+) *\}\}")


def run(sandbox, folder, workflow):
    for values in workflow.runs[1]:
        run_once(sandbox, folder, workflow, values)
    return bench.recorded(folder)


def run_once(sandbox, folder, workflow, values):
    """As the runner does: what a step writes to GITHUB_ENV comes before the variables of its job, and after those of a step."""
    variables = {name: str(value) for name, value in {**workflow.env, **workflow.job_env}.items()}
    written = folder / "github_env"
    for step in workflow.steps:
        if step["off"] or workflow.job_is_off:
            continue
        written.write_text("")
        own = {name: fill(str(value), {"matrix": values}) for name, value in step["env"].items()}
        script = fill(step["run"], {"matrix": values, "env": {**variables, **own}})
        sandbox.run(folder, ["bash", "-e", "-c", script], {**variables, **own, "GITHUB_ENV": str(written)})
        variables.update(line.split("=", 1) for line in written.read_text().splitlines())


def fill(text, contexts):
    return EXPRESSION.sub(lambda each: str(contexts[each[1]].get(each[2], "")), text)


@unittest.skipUnless(shutil.which("bash"), "bash is missing")
class Workflows(unittest.TestCase):
    def test_what_steps_pass_on(self):
        tally = bench.Tally()
        with bench.Sandbox() as sandbox:
            outcomes = {}
            for seed in range(bench.FIRST, bench.FIRST + bench.COUNT):
                workflow = workflows.Workflow(seed)
                folder = sandbox.case(seed, {"workflow.yaml": workflow.text()})
                outcomes[folder / "workflow.yaml"] = (seed, bench.is_wrong(run(sandbox, folder, workflow), workflow.hosts))
            found = bench.lint(outcomes, sandbox.folder)
            for path, (seed, is_wrong) in outcomes.items():
                tally.add(seed, is_wrong, "FS4001" in found.get(str(path), []))
        print(tally)
        self.assertEqual([], tally.false)
        self.assertLessEqual(len(tally.missed), max(1, 0.05 * tally.wrong))


if __name__ == "__main__":
    unittest.main()
