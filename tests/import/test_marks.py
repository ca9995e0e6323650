"""Marks of templates are blanked while a file is read. What is written for them meanwhile is nowhere in what import or lint prints."""
import pathlib
import random
import re
import unittest

import importing

HERE = pathlib.Path(__file__).resolve().parent
MARKS = ("{FOO}", "{BAR}", "${B}", "${B:-c}", "[ZONE]", "{{ run }}", "{{ .Values.x | quote }}", "{{name}}", "<a: b>", "{% if a %}1{% else %}2{% endif %}", "${{ a.b }}", "x-{MIX}-y",
         "[${B}, {FOO}]", "{a: {FOO}, b: ${C}}", "\"q-{QUOTED}\"", "'{{ single }}'", "{{ two\n      lines }}", "$XX", "$XXXX")
BLANKED = re.compile(r"\$X+")
SCRIPT = """ZONE={0}
POOL={1}
gcloud container node-pools create "$POOL" --cluster={2} --zone=$ZONE --machine-type={3} --tpu-topology=4x4 --spot
kubectl apply -f - <<EOF
apiVersion: batch/v1
kind: Job
metadata: {{name: {1}, labels: {{a: {2}, b: ${{B}}}}}}
spec:
  template:
    spec:
      containers: [{{name: a, image: {0}, args: [--x={3}, "{2}"], env: [{{name: A, value: "x-${{BUCKET}}"}}], resources: {{limits: {{google.com/tpu: 4}}}}}}]
EOF
"""


def values(text):
    """The spans of what is after `: ` and `- `, on single lines."""
    return [match.span(1) for match in re.finditer(r"(?:: |- )([^\s#&|>{\[][^\n#:]*)$", text, re.MULTILINE)]


def mixed(text, chance):
    places = sorted(chance.sample(values(text), 3), reverse=True)
    for begin, end in places:
        text = text[:begin] + chance.choice(MARKS) + text[end:]
    return text


class Marks(unittest.TestCase):
    def assert_original(self, name, text):
        for arguments in (["import"], ["lint"]):
            done = importing.run(*arguments, "--color", "never", "-", stdin=text.encode())
            printed = (done.stdout + done.stderr).decode()
            foreign = {each for each in BLANKED.findall(printed) if each not in text}
            self.assertEqual(set(), foreign, f"{name}:\n{text}\n{printed}")

    def test_manifests(self):
        chance = random.Random(5)
        for file in sorted((HERE / "corpus").glob("*.yaml")):
            for i in range(6):
                self.assert_original(file.name, mixed(file.read_text(), chance))

    def test_scripts(self):
        chance = random.Random(6)
        for _ in range(25):
            self.assert_original("script", "#!/bin/bash\n" + SCRIPT.format(*chance.sample(MARKS[:10], 4)))


if __name__ == "__main__":
    unittest.main()
