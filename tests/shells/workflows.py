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
        self.steps = [self.step() for _ in range(self.random.randint(0, 2))] + [self.consumer()]

    def value(self):
        return self.hosts if self.random.random() < 0.55 else self.random.choice(NUMBERS)

    def settings(self, chance):
        return {"N": self.random.choice([self.value(), str(self.value())])} if self.random.random() < chance else {}

    def step(self):
        value, right = self.value(), self.hosts
        run = self.random.choice([f"N={value}", f"export N={value}", f"echo N={right} >> $GITHUB_ENV", f'echo "N={right}" >> "$GITHUB_ENV"', "true", f"N={value}\necho $N > /dev/null", f"echo N={value}"])
        return {"run": run, "env": self.settings(0.2), "off": self.random.random() < 0.1}

    def consumer(self):
        pool = f"{POOL} --tpu-topology={self.topology}"
        value = self.value()
        run = self.random.choice([f"{pool} --num-nodes=$N", f'{pool} --num-nodes="${{N:-{value}}}"', f"N={value}\n{pool} --num-nodes=$N", f"{pool} \\\n  --num-nodes=$N", f"N=${{N:-{value}}}\n{pool} --num-nodes=$N",
                                  f"if [ \"$N\" = 2 ]; then N={value}; fi\n{pool} --num-nodes=$N"])
        return {"run": run, "env": self.settings(0.3), "off": self.random.random() < 0.08}

    def text(self):
        lines = ["name: pools", "on: push"]
        lines += self.block("env", self.env, "")
        lines += ["jobs:", "  pool:", "    runs-on: ubuntu-latest"]
        if self.job_is_off:
            lines.append("    if: false")
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
