"""Every quantity that a spec may have is written as the API server stores it: judged by Kubernetes' documented rule, with exact fractions.

The rule (API reference, Quantity): before serializing, a quantity is put in canonical form: no precision is lost, no fractional digits are
emitted, and the exponent or suffix is as large as possible. The suffix stays of the family in which it was written, unless a binary one
would need a fraction or is below 1024.
"""
import fractions
import math
import os
import random
import re
import subprocess
import tempfile
import unittest

import yaml

FLEXSLICE = os.environ["FLEXSLICE"]
DECIMAL = dict(zip(["n", "u", "m", "", "k", "M", "G", "T", "P", "E"], [fractions.Fraction(10) ** power for power in range(-9, 19, 3)]))
BINARY = {suffix: fractions.Fraction(1024) ** power for power, suffix in enumerate(["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"], 1)}
FORM = re.compile(r"([0-9]+(?:\.[0-9]+)?)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|)")
NANO = DECIMAL["n"]


def amount(text):
    number, suffix = FORM.fullmatch(text).groups()
    return fractions.Fraction(number) * (DECIMAL | BINARY)[suffix]


def stored(text):
    """What the API server keeps of it: whole nano-units, rounded up, and at most 63 bits of units."""
    return min(math.ceil(amount(text) / NANO) * NANO, fractions.Fraction(2**63 - 1))


def fault(written, text):
    """What is wrong with the canonical text of an amount, or nothing."""
    form = FORM.fullmatch(text)
    if not form or "." in form[1]:
        return "it has fractional digits, or is no quantity"
    if form[1] != str(int(form[1])):
        return "it has zeros in front"
    suffix = FORM.fullmatch(written)[2]
    if amount(text) != stored(written):
        return f"it is {amount(text)}, not {stored(written)}"
    if int(form[1]) == 0:
        return "zero has no suffix" if form[2] else None
    if suffix in BINARY and stored(written) >= 1024 and stored(written).denominator == 1:
        larger = int(form[1]) % 1024 == 0 and form[2] != "Ei"
        return "another family" if form[2] not in BINARY and form[2] else "a larger suffix is possible" if larger else None
    if form[2] in BINARY:
        return "a binary suffix for what has none"
    return "a larger suffix is possible" if int(form[1]) % 1000 == 0 and form[2] != "E" else None


def quantities(count):
    chosen = random.Random(11)
    yield from ["0", "0.5", "1.5Gi", "1024Mi", "1000M", "1000m", "1000", "0.0", "00010", "1.50", "100", "1023", "0.5Ki", "1000Ki", "1000000Ki",
                "0.001", "0.0001", "1.5m", "0.000000001", "123456789012345Ki", "9E", "8Ei", "1023Pi", "0.1Mi", "1.000000001k", "999999999999999E"]
    suffixes = ["", "m", "k", "M", "G", "T", "P", "E", *BINARY]
    for _ in range(count):
        digits = chosen.choice([1, 2, 3, 4, 6, 12])
        number = str(chosen.randrange(10**digits)) + chosen.choice(["", "", "0", "000", "000000"])[: 15 - digits]
        if chosen.random() < 0.4:
            number += "." + str(chosen.randrange(10 ** chosen.choice([1, 2, 3, 9]))).rjust(chosen.choice([1, 2, 3]), "0")[:9]
        yield number + chosen.choice(suffixes)


class Quantities(unittest.TestCase):
    def test_the_judge(self):
        for written, text in [("1.5Gi", "1536Mi"), ("1024Mi", "1Gi"), ("1000M", "1G"), ("0.5", "500m"), ("1000m", "1"), ("0.5Ki", "512"), ("1000", "1k")]:
            self.assertIsNone(fault(written, text), (written, text))
        for written, text in [("1.5Gi", "1.5Gi"), ("1024Mi", "1024Mi"), ("1000M", "1000M"), ("1000Ki", "1024k"), ("0.5", "0.5"), ("0", "0m"), ("2", "3")]:
            self.assertIsNotNone(fault(written, text), (written, text))

    def test_every_quantity(self):
        # Resources finer than thousandths are refused.
        written = [each for each in quantities(1500) if (amount(each) * 1000).denominator == 1]
        faults = []
        for begin in range(0, len(written), 300):
            faults += self.faults_of(written[begin : begin + 300])
        self.assertEqual([], faults[:20])

    def faults_of(self, written):
        sidecars = [{"name": f"c{at}", "image": "busybox", "resources": {"requests": {"example.com/x": each}, "limits": {"example.com/x": each}}}
                    for at, each in enumerate(written)]
        volumes = [{"name": f"v{at}", "mountPath": f"/v{at}", "emptyDir": {"sizeLimit": each}} for at, each in enumerate(written)]
        workload = {"image": "busybox", "sidecars": sidecars, "volumes": volumes, "resources": {"cpu": "0.25", "memory": "2048Mi"}}
        spec = {"apiVersion": "flexslice/v1", "name": "train", "tpu": {"type": "v6e", "topology": "1x1"}, "workload": workload,
                "cluster": {"name": "c", "location": "us-east5"}, "provisioning": {"zones": ["us-east5-b"]}}
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump(spec, file)
            file.flush()
            done = subprocess.run([FLEXSLICE, "compile", file.name], capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr[-2000:])
        pod = yaml.safe_load(done.stdout.split("---\n", 1)[1])["spec"]["template"]["spec"]
        self.assertEqual({"cpu": "250m", "memory": "2Gi", "google.com/tpu": "1"}, pod["containers"][0]["resources"]["requests"])
        for at, each in enumerate(written):
            resources = pod["initContainers"][at]["resources"]
            texts = {resources["requests"]["example.com/x"], resources["limits"]["example.com/x"], pod["volumes"][at]["emptyDir"]["sizeLimit"]}
            self.assertTrue(all(isinstance(text, str) for text in texts), texts)
            yield from (f"{each} as {text}: {fault(each, text)}" for text in texts if fault(each, text))


if __name__ == "__main__":
    unittest.main()
