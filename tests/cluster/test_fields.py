"""The table of Kubernetes' types has the fields and types that the API server publishes."""

import pathlib
import unittest

import yaml

from control_plane import ControlPlane

TABLE = yaml.safe_load((pathlib.Path(__file__).resolve().parents[2] / "src/schema/kubernetes.yaml").read_text(encoding="utf-8"))

# Types that stand for several of the server's, which are alike.
SEVERAL = {
    "KeySelector": ["SecretKeySelector", "ConfigMapKeySelector"],
    "EnvSource": ["SecretEnvSource", "ConfigMapEnvSource"],
    "SecurityProfile": ["SeccompProfile", "AppArmorProfile"],
    "ReadinessProbe": ["Probe"],
}
# What the server publishes and does not accept there.
LEFT_OUT = {
    "ReadinessProbe": {"terminationGracePeriodSeconds"},
    "Lifecycle": {"stopSignal"},  # of a feature that is off by default
}


def kind_of(name):
    """A field's type as JSON Schema calls it."""
    if " of " in name:
        outer, _, inner = name.partition(" of ")
        return ["array" if outer == "list" else "object", kind_of(inner)]
    scalar = TABLE["scalars"].get(name)
    if scalar is None:
        return "object"
    if scalar.get("orInteger"):
        return "int-or-string"
    if scalar.get("anyScalar"):
        return "quantity"
    return {"integer": "integer", "flag": "boolean"}.get(scalar.get("type"), "string")


class Fields(unittest.TestCase):
    """The published schema, type by type."""

    @classmethod
    def setUpClass(cls):
        plane = cls.enterClassContext(ControlPlane(controllers=()))
        cls.version = plane.request("GET", "/version")
        cls.schemas = {key: schema for path in ("api/v1", "apis/batch/v1")
                       for key, schema in plane.request("GET", f"/openapi/v3/{path}")["components"]["schemas"].items()}

    def published(self, schema):
        """The server's type of a field, in the words of kind_of."""
        reference = schema.get("$ref") or next((each["$ref"] for each in schema.get("allOf", [])), "")
        name = reference.rsplit(".", 1)[-1]
        if name in ("Quantity", "IntOrString"):
            return {"Quantity": "quantity", "IntOrString": "int-or-string"}[name]
        if reference:
            return "object"
        if schema["type"] == "array":
            return ["array", self.published(schema["items"])]
        if "additionalProperties" in schema:
            return ["object", self.published(schema["additionalProperties"])]
        return schema["type"]

    def test_version(self):
        self.assertEqual(f"{self.version['major']}.{self.version['minor']}", TABLE["version"])

    def test_fields(self):
        for each in TABLE["types"]:
            for name in SEVERAL.get(each["name"], [each["name"]]):
                with self.subTest(each["name"], of=name):
                    [schema] = [self.schemas[key] for group in ("core", "batch") if (key := f"io.k8s.api.{group}.v1.{name}") in self.schemas]
                    properties = schema["properties"]
                    theirs = {key: self.published(value) for key, value in properties.items() if key not in LEFT_OUT.get(each["name"], ())}
                    self.assertEqual(theirs, {key: kind_of(value) for key, value in each["fields"].items()})


if __name__ == "__main__":
    unittest.main()
