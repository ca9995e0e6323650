"""Random makefiles that set a number of nodes in every form, order and scope, and create a pool with it."""
import random

from scripts import NUMBERS, POOL


class Makefile:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.files = {}
        self.count = 0
        self.topology, self.hosts = self.random.choice([("2x4", 2), ("4x4", 4)])
        self.goal = "pool"
        above = [self.statement() for _ in range(self.random.randint(1, 3))]
        below = [self.statement() for _ in range(self.random.choice([0, 0, 1, 2]))]
        recipe = self.recipe()
        self.lines = ["all: help", "help:", "\t@true", *above, recipe, *below]
        if self.random.random() < 0.1:
            self.lines.append(".ONESHELL:")

    def value(self):
        return self.hosts if self.random.random() < 0.55 else self.random.choice(NUMBERS)

    def file(self, text):
        self.count += 1
        self.files[f"part{self.count}.mk"] = text
        return f"part{self.count}.mk"

    def statement(self):
        value, other = self.value(), self.random.choice(NUMBERS)
        choose = self.random.choice
        plain = [f"N = {value}", f"N := {value}", f"N={value}", f"N ?= {value}", f"export N = {value}", f"N ::= {value}", f"N = {value} # nodes"]
        forms = [f"M = {value}\nN = $(M)", f"M := {value}\nN := $(M)", f"N = $(M)\nM = {value}", f"N := $(M)\nM = {other}", f"override N = {value}", f"undefine N\nN ?= {value}",
                 f"pool: N = {value}", f"pool: N := {value}", f"pool: export N = {value}", f"help: N = {other}", f"pool help: N = {value}", f"top: N = {self.hosts}\ntop: pool",
                 f"include {self.file(f'N = {value}' + chr(10))}", f"-include {self.file(f'N := {value}' + chr(10))}", f"-include missing.mk\nN = {value}", f"include {self.file('Z = 1' + chr(10))}", f"pool: private N = {value}",
                 f"ifeq ($(MODE),x)\nN = {self.hosts}\nelse\nN = {self.hosts}\nendif", f"export N = {value}\nunexport N", f"export\nN = {value}\nunexport N", f"export N = {other}\nundefine N\nN ?= {value}", f"unexport N\nexport N = {value}", f"export\nN = {value}\nunexport", f"MODE = x\nifeq ($(MODE),x)\nN = {value}\nelse\nN = {other}\nendif", f"N = {other}\nifdef N\nN = {value}\nendif", f"N = {other}\nifndef N\nN = {value}\nendif",
                 f"ifneq (a,b)\nN := {value}\nendif", f"N = $(shell echo {self.hosts})", f"N := $(shell echo {self.hosts})", f"N != echo {self.hosts}", f"define N\n{self.hosts}\nendef", f"$(eval N = {self.hosts})", "export", "export N", "unexport N",
                 f"N = $(or $(X),{self.hosts})", f"N = {value}\nN +=", f"ifeq (1,1)\nM = {value}\nendif\nN = $(M)", f"N = \\\n  {value}", f"N = $(N_$(KIND))\nKIND = a\nN_a = {self.hosts}\nN_b = {other}", "FLAGS = --spot"]
        return choose(plain) if self.random.random() < 0.5 else choose(forms)

    def recipe(self):
        pool = f"{POOL} --tpu-topology={self.topology}"
        value, other = self.value(), self.random.choice(NUMBERS)
        uses = [f"\t{pool} --num-nodes=$(N)", f"\t@{pool} --num-nodes=${{N}}", f"\t-{pool} --num-nodes=$N", f"\t{pool} \\\n\t  --num-nodes=$(N) \\\n\t  --spot", f"\tN={other}\n\t{pool} --num-nodes=$(N)",
                f"\tN={value}; {pool} --num-nodes=$$N", f"\tN={other}; {pool} --num-nodes=$(N)", f"\texport M={other}\n\tM=$(N); {pool} --num-nodes=$$M", f"\tM=$(N) && \\\n\t  {pool} --num-nodes=$$M",
                f"\t{pool} --num-nodes=$${{N:-{value}}}", f"\t{pool} --num-nodes=$$N", f"\tfor n in $(N); do {pool} --num-nodes=$$n; done", f"\tif true; then {pool} --num-nodes=$(N); fi", f"\t{pool} $(FLAGS) --num-nodes=$(N)",
                f"\t{pool} --num-nodes='$(N)'", f'\t{pool} --num-nodes="$(N)"', f"\t. ./env.sh; {pool} --num-nodes=$$N", f"\tN={value}\n\t{pool} --num-nodes=$$N", f"\t{pool} --num-nodes=$$(( $(N) ))"]
        use = self.random.choice(uses)
        if "env.sh" in use:
            self.files["env.sh"] = f"N={value}\n"
        rule = self.random.choice(["pool:\n", "pool: help\n", ".PHONY: pool\npool:\n", "pool::\n"])
        if self.random.random() < 0.15:
            self.goal = "upper"
            inherited = self.random.choice(["", f"upper: N = {self.hosts}\n"])
            return f"{inherited}upper: pool\n\t@true\n{rule}{use}"
        if self.random.random() < 0.1 and "\n" not in use:
            return f"pool: ; {use.strip()}"
        return rule + use

    def text(self):
        return "\n".join(self.lines) + "\n"
