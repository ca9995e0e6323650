"""Random modules of Terraform with a node pool, whose number of nodes goes through variables, local values, functions and files of values."""
import json
import random

NUMBERS = [1, 2, 3, 4, 6, 8]
HOSTS = {"2x4": 2, "4x4": 4, "4x8": 8}


class Module:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.topology, self.hosts = self.random.choice(list(HOSTS.items()))
        self.variables, self.locals, self.set, self.auto_set, self.count = {}, {}, {}, {}, 0
        self.each = self.instances() if self.random.random() < 0.2 else None
        self.nodes = "each.value.hosts" if self.each else self.expression(self.value(), 3)
        self.shape = "each.value.topology" if self.each else self.text(self.topology)

    def value(self):
        return self.hosts if self.random.random() < 0.55 else self.random.choice(NUMBERS)

    def instances(self):
        shapes = self.random.sample(list(HOSTS), 2)
        rows = {f"p{number}": {"topology": shape, "hosts": HOSTS[shape] if self.random.random() < 0.7 else self.random.choice(NUMBERS)} for number, shape in enumerate(shapes)}
        if self.random.random() < 0.5:
            return self.variable(rows)
        return self.local("{ " + ", ".join(f'{name} = {{ topology = "{row["topology"]}", hosts = {self.expression(row["hosts"], 1)} }}' for name, row in rows.items()) + " }")

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def variable(self, value):
        """The value is where Terraform looks for it last; what comes before is another one."""
        name = self.name()
        other = value if not isinstance(value, int) else self.random.choice(NUMBERS)
        where = self.random.choice(["default", "default", "set", "auto"])
        self.variables[name] = None if where != "default" and self.random.random() < 0.3 else json.dumps(value if where == "default" else other)
        if where == "auto":
            self.auto_set[name] = json.dumps(value)
        if where == "set" or (where == "auto" and self.random.random() < 0.3):
            self.set[name] = json.dumps(value if where == "set" else other)
        return f"var.{name}"

    def local(self, text):
        name = self.name()
        self.locals[name] = text
        return f"local.{name}"

    def text(self, value):
        return self.random.choice([f'"{value}"', self.variable(value), self.local(f'"{value}"'), 'format("%dx%d", {}, {})'.format(*value.split("x")), '"${{{}}}x{}"'.format(*value.split("x"))])

    def expression(self, value, depth):
        if depth == 0:
            return self.random.choice([str(value), str(value), self.variable(value), self.local(str(value))])
        inner = lambda number: self.expression(number, depth - 1)
        other = self.random.choice(NUMBERS)
        return self.random.choice([
            lambda: self.local(inner(value)),
            lambda: f"{self.variable(True)} ? {inner(value)} : {other}",
            lambda: f'({self.text(self.topology)} == "{self.topology}" ? {inner(value)} : {inner(other)})',
            lambda: f"({inner(value * 2)} / 2)",
            lambda: f"({inner(value - 1)} + 1)",
            lambda: f"max({inner(value)}, 1)",
            lambda: f"min({inner(value)}, {value + other})",
            lambda: f"ceil({inner(value * 4 - 1)} / 4)",
            lambda: f'{self.local(f"{{ a = {inner(value)}, b = {other} }}")}{self.random.choice([".a", "[" + chr(34) + "a" + chr(34) + "]"])}',
            lambda: f'{self.local(f"{{ {chr(34)}{self.topology}{chr(34)} = {inner(value)} }}")}[{self.text(self.topology)}]',
            lambda: f'lookup({{ "{self.topology}" = {inner(value)} }}, {self.text(self.topology)}, {other})',
            lambda: f"[{inner(other)}, {inner(value)}][1]",
            lambda: f"coalesce(null, {inner(value)})",
            lambda: f"length([{', '.join(['1'] * value)}])",
            lambda: f'tonumber("{value}")',
            lambda: f"sum([for each in [{inner(value)}] : each])",
            lambda: f"element({self.local(f'[{inner(value)}, {other}]')}, 0)",
            lambda: f"try({inner(value)}, {other})",
        ])()

    def files(self):
        lines = [f'variable "{name}" {{\n' + ("" if value is None else f"  default = {value}\n") + "}" for name, value in self.variables.items()]
        lines += ["locals {"] + [f"  {name} = {text}" for name, text in self.locals.items()] + ["}"]
        pool = ['resource "google_container_node_pool" "pool" {', '  name           = "pool"', '  cluster        = "c"', '  location       = "us-east5"', '  node_locations = ["us-east5-b"]', f"  node_count     = {self.nodes}"]
        pool += [f"  for_each       = {self.each}"] if self.each else []
        pool += ["  node_config {", '    machine_type = "ct6e-standard-4t"', "  }", "  placement_policy {", '    type         = "COMPACT"', f"    tpu_topology = {self.shape}", "  }", "}"]
        made = {"values.tf": "\n".join(lines) + "\n", "main.tf": "\n".join(pool) + "\n"}
        for name, values in (("terraform.tfvars", self.set), ("more.auto.tfvars", self.auto_set)):
            if values:
                made[name] = "".join(f"{key} = {value}\n" for key, value in values.items())
        return made

    def question(self):
        """Pairs of shape and nodes, as Terraform itself calculates them."""
        if self.each:
            return f"jsonencode([for each in values({self.each}) : [each.topology, each.hosts]])"
        return f"jsonencode([[{self.shape}, {self.nodes}]])"
