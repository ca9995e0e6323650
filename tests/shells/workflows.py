"""Random workflows of GitHub whose steps create a pool, and what their steps are given to run."""
import json
import random

from scripts import NUMBERS, POOL


class Workflow:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.topology, self.hosts = self.random.choice([("2x4", 2), ("4x4", 4)])
        self.env = self.settings(0.5)
        self.job_env = self.settings(0.4)
        self.job_is_off = self.random.random() < 0.05
        self.runs = self.matrix()
        self.steps = [self.step() for _ in range(self.random.randint(0, 2))] + [self.consumer()]

    def value(self):
        return self.hosts if self.random.random() < 0.55 else self.random.choice(NUMBERS)

    def matrix(self):
        """The matrix as the file says it, and what it gives each run."""
        first, third = self.value(), self.value()
        second = self.random.choice([each for each in NUMBERS if each != first])
        if self.random.random() < 0.6:
            return "", [{}]
        return self.random.choice([
            (f"n: [{first}, {second}]", [{"n": first}, {"n": second}]),
            (f"n: [{first}, {second}], os: [a, b], exclude: [{{n: {second}, os: a}}, {{n: {second}, os: b}}]", [{"n": first}]),
            (f"include: [{{n: {first}}}, {{n: {second}, x: y}}]", [{"n": first}, {"n": second}]),
            (f"os: [a, b], include: [{{os: a, n: {first}}}, {{os: b, n: {second}}}, {{os: c, n: {third}}}]", [{"n": first}, {"n": second}, {"n": third}]),
            (f"os: [a, b], include: [{{n: {first}}}]", [{"n": first}]),
            (f"n: [{first}], os: [a], include: [{{n: {second}}}]", [{"n": first}, {"n": second}])])

    def settings(self, chance):
        return {"N": self.random.choice([self.value(), str(self.value())])} if self.random.random() < chance else {}

    def step(self):
        value, right = self.value(), self.hosts
        run = self.random.choice([f"N={value}", f"export N={value}", f"echo N={right} >> $GITHUB_ENV", f'echo "N={right}" >> "$GITHUB_ENV"', "true", f"N={value}\necho $N > /dev/null", f"echo N={value}"])
        return {"run": run, "env": self.settings(0.2), "off": self.random.random() < 0.1}

    def consumer(self):
        if self.runs[0] and self.random.random() < 0.8:
            return self.consumer_of_matrix()
        pool = f"{POOL} --tpu-topology={self.topology}"
        value = self.value()
        run = self.random.choice([f"{pool} --num-nodes=$N", f'{pool} --num-nodes="${{N:-{value}}}"', f"N={value}\n{pool} --num-nodes=$N", f"{pool} \\\n  --num-nodes=$N", f"N=${{N:-{value}}}\n{pool} --num-nodes=$N",
                                  f"if [ \"$N\" = 2 ]; then N={value}; fi\n{pool} --num-nodes=$N"])
        return {"run": run, "env": self.settings(0.3), "off": self.random.random() < 0.08}

    def consumer_of_matrix(self):
        pool = f"{POOL} --tpu-topology={self.topology}"
        run = self.random.choice([f"{pool} --num-nodes=${{{{ matrix.n }}}}", f"N=${{{{matrix.n}}}}\n{pool} --num-nodes=$N", f"{pool} --num-nodes=\"$M\"", f"{pool} \\\n  --num-nodes=${{{{ env.M }}}}"])
        return {"run": run, "env": {"M": "${{ matrix.n }}"}, "off": False}

    def text(self):
        lines = ["name: pools", "on: push"]
        lines += self.block("env", self.env, "")
        lines += ["jobs:", "  pool:", "    runs-on: ubuntu-latest"]
        if self.job_is_off:
            lines.append("    if: false")
        if self.runs[0]:
            lines += ["    strategy:", f"      matrix: {{{self.runs[0]}}}"]
        lines += self.block("env", self.job_env, "    ")
        lines += ["    steps:", "    - uses: actions/checkout@v4"]
        for step in self.steps:
            lines.append("    - run: |")
            lines += ["        " + line for line in step["run"].split("\n")]
            lines += self.block("env", step["env"], "      ")
            if step["off"]:
                lines.append(self.random.choice(["      if: false", "      if: ${{ false }}"]))
        return "\n".join(lines) + "\n"

    @staticmethod
    def block(key, values, indent):
        return [f"{indent}{key}:"] + [f"{indent}  {name}: {json.dumps(value)}" for name, value in values.items()] if values else []
