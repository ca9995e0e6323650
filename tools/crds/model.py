"""Schemas as nodes, two releases of a node as one, and nodes as lines.

A node is a tuple: ("text", …), ("integer", least, most), ("flag",), ("any",), ("list", item, keys, least, most),
("map", value, least, most), ("record", fields, is_open), ("ref", type name). A field is (node, marks, default).
"""
import re

import counts
import patterns

INT32 = (-(2**31), 2**31 - 1)
# Records that a CRD takes from Kubernetes' own types: all of the words must be there, and no more than the type has.
SIGNS = {
    "PodTemplateSpec": ({"spec"}, {"metadata", "spec"}), "PodSpec": ({"containers", "nodeSelector", "volumes"}, None),
    "Container": ({"image", "volumeMounts", "envFrom", "ports"}, None), "Volume": ({"configMap", "emptyDir", "csi"}, None),
    "EnvVar": ({"name", "value", "valueFrom"}, None), "EnvFromSource": ({"configMapRef", "secretRef"}, None),
    "Affinity": ({"nodeAffinity", "podAffinity"}, None), "Toleration": ({"key", "operator", "tolerationSeconds"}, None),
    "ResourceRequirements": ({"limits", "requests"}, None), "PodSecurityContext": ({"fsGroup", "sysctls"}, None),
    "SecurityContext": ({"privileged", "capabilities"}, None), "JobSpec": ({"template", "backoffLimit", "completions"}, None),
    "PersistentVolumeClaimSpec": ({"accessModes", "storageClassName", "volumeMode"}, None),
    "ServiceSpec": ({"clusterIP", "selector", "ports"}, None), "VolumeMount": ({"mountPath", "subPath"}, None),
    "LabelSelector": ({"matchLabels", "matchExpressions"}, None), "Probe": ({"httpGet", "failureThreshold"}, None),
    "DeploymentSpec": ({"replicas", "selector", "template", "paused"}, None),
    "LeaderWorkerSetSpec": ({"leaderWorkerTemplate", "rolloutStrategy"}, None),
}


def convert_definition(name, definitions, short):
    """A type of Kubernetes' OpenAPI, and the names of those that it uses."""
    used = []

    def node(schema):
        if "$ref" in schema:
            target = schema["$ref"].split("/")[-1]
            special = scalar_of(target)
            if special:
                return special
            used.append(target)
            return ("ref", short[target])
        kind = schema.get("type")
        if kind == "string":
            return ("text", "time" if schema.get("format") == "date-time" else "", ())
        if kind == "boolean":
            return ("flag",)
        if kind == "integer":
            return ("integer",) + (INT32 if schema.get("format") == "int32" else (None, None))
        if kind == "array":
            keys = schema.get("x-kubernetes-list-map-keys") or (["="] if schema.get("x-kubernetes-list-type") == "set" else None)
            return ("list", node(schema["items"]), tuple(keys) if keys else None, None, None)
        if kind == "object" and "additionalProperties" in schema:
            return ("map", node(schema["additionalProperties"]), None, None)
        return ("any",)

    schema = definitions[name]
    is_object = "x-kubernetes-group-version-kind" in schema
    if "properties" not in schema:
        return ("any",), used
    fields = {}
    for key, value in schema["properties"].items():
        if is_object and key == "status" or short[name] == "ObjectMeta" and key == "managedFields":
            fields[key] = (("any",), "", None)
        else:
            fields[key] = (node(value), "", value.get("default"))
    # `required` says here that Go's types do not omit a field, and not that servers demand it.
    return ("record", fields, False), used


def scalar_of(target):
    word = target.split(".")[-1]
    return {"Quantity": ("text", "quantity", ()), "IntOrString": ("text", "integer-or-text", ()), "Time": ("text", "time", ()),
            "MicroTime": ("text", "time", ()), "Duration": ("text", "", ()), "RawExtension": ("any",), "FieldsV1": ("any",), "JSON": ("any",),
            "JSONSchemaProps": ("any",), "JSONSchemaPropsOrBool": ("any",), "JSONSchemaPropsOrArray": ("any",)}.get(word)


def convert_schema(schema, is_root=False):
    node = convert_any(schema, is_root)
    return node


def convert_any(schema, is_root=False):
    kind = schema.get("type")
    if schema.get("x-kubernetes-int-or-string"):
        is_amount = "numkMGTPE" in schema.get("pattern", "") or "[eE]" in schema.get("pattern", "")
        return ("text", "amount" if is_amount else "integer-or-text", ())
    if kind == "string":
        limits = []
        if "enum" in schema:
            limits.append(("enum", tuple(schema["enum"])))
        if "pattern" in schema:
            limits.append(("pattern", schema["pattern"]))
        if schema.get("minLength"):
            limits.append(("least", schema["minLength"]))
        if "maxLength" in schema:
            limits.append(("most", schema["maxLength"]))
        form = "time" if schema.get("format") == "date-time" else ""
        return ("text", form, tuple(limits))
    if kind == "boolean":
        return ("flag",)
    if kind == "integer":
        least, most = INT32 if schema.get("format") == "int32" else (None, None)
        if "minimum" in schema:
            least = schema["minimum"]
        if "maximum" in schema:
            most = schema["maximum"]
        return ("integer", least, most)
    if kind == "array":
        keys = schema.get("x-kubernetes-list-map-keys") or (["="] if schema.get("x-kubernetes-list-type") == "set" else None)
        return ("list", convert_any(schema["items"]), tuple(keys) if keys else None, schema.get("minItems"), schema.get("maxItems"))
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return ("map", convert_any(schema["additionalProperties"]), schema.get("minProperties"), schema.get("maxProperties"))
    if kind == "object" and schema.get("properties"):
        name = known_record(set(schema["properties"]), schema)
        if name:
            return ("ref", name)
        required = schema.get("required", [])
        fields = {}
        for key, value in schema["properties"].items():
            if is_root and key in ("apiVersion", "kind", "metadata", "status"):
                fields[key] = (("ref", "ObjectMeta") if key == "metadata" else ("any",) if key == "status" else ("text", "", ()), "", None)
                continue
            marks = ("!" if key in required else "") + ("?" if value.get("nullable") else "")
            fields[key] = (convert_any(value), marks, value.get("default"))
        return ("record", fields, bool(schema.get("x-kubernetes-preserve-unknown-fields")))
    return ("any",)


CORE = {}  # type name → names of its fields


def known_record(keys, schema):
    if keys == {"metadata", "spec"}:
        inner = schema["properties"]["spec"].get("properties", {})
        return "PodTemplateSpec" if "containers" in inner and "nodeSelector" in inner else None
    for name, (needed, most) in SIGNS.items():
        if needed <= keys and (most is None or keys <= most) and name != "PodTemplateSpec":
            if name == "LabelSelector" and keys != needed or name == "ResourceRequirements" and keys - needed - {"claims"}:
                continue
            if name == "LeaderWorkerSetSpec":
                continue
            return name
    return None


def merge(old, new, is_part=True):
    """One node of two. A field that one release lacks is marked: `-` of the older, `+` of the newer."""
    if old is None or new is None:
        return new or old
    if old == new or old[0] != new[0]:
        return new
    if new[0] == "record":
        fields = {}
        for key in list(new[1]) + [key for key in old[1] if key not in new[1]]:
            one, two = old[1].get(key), new[1].get(key)
            if one and two:
                both = merge(one[0], two[0])
                # Both releases must demand a field that is required in the merged schema.
                marks = "".join(mark for mark in two[1] if mark != "!" or mark in one[1])
                fields[key] = (both, marks, two[2])
            else:
                fields[key] = ((two or one)[0], "".join(mark for mark in (two or one)[1] if mark != "!") + ("+" if two else "-"), (two or one)[2])
        return ("record", fields, old[2] or new[2])
    if new[0] == "list":
        return ("list", merge(old[1], new[1]), new[2] if new[2] == old[2] else None, lower(old[3], new[3]), higher(old[4], new[4]))
    if new[0] == "map":
        return ("map", merge(old[1], new[1]), lower(old[2], new[2]), higher(old[3], new[3]))
    if new[0] == "integer":
        return ("integer", lower(old[1], new[1]), higher(old[2], new[2]))
    if new[0] == "text":
        limits = [limit for limit in new[2] if limit in old[2]]
        words = [dict(each[2]).get("enum") for each in (old, new)]
        if all(words) and words[0] != words[1]:
            limits.append(("enum", tuple(dict.fromkeys(words[1] + words[0]))))
        return ("text", new[1] if new[1] == old[1] else "", tuple(limits))
    return new


def lower(one, two):
    return None if one is None or two is None else min(one, two)


def higher(one, two):
    return None if one is None or two is None else max(one, two)


class Lines:
    def __init__(self, taken):
        self.names, self.lines, self.patterns, self.taken = {}, [], {}, set(taken)

    def of_type(self, node, path):
        """Records that are alike are one type, with the name of the place where it comes first."""
        key = repr(node)
        if key not in self.names:
            name, number = path, 1
            while name in self.taken:
                number += 1
                name = f"{path}~{number}"
            self.names[key] = name
            self.taken.add(name)
            self.add(name, node)
        return self.names[key]

    def add(self, name, node, letter="C"):
        own = [f"{letter} {name}" + ("*" if node[2] else "")]
        for key, (value, marks, default) in node[1].items():
            text = f" {key}{marks.replace('!', '') if default is not None else marks} {self.text(value, f'{name}.{key}'.replace('~', '-'))}"
            if default is not None and isinstance(default, (str, int, bool)) and "\n" not in str(default):
                text += " =" + (str(default).lower() if isinstance(default, bool) else str(default))
            own.append(text)
        self.lines += own

    def text(self, node, path):
        kind = node[0]
        if kind == "ref":
            return "@" + node[1]
        if kind == "record":
            return "@" + self.of_type(node, path)
        if kind in ("any", "flag"):
            return "*" if kind == "any" else "b"
        if kind == "integer":
            if node[1:] == INT32:
                return "j"
            return "i" + "".join(mark + str(int(bound)) for mark, bound in zip("><", node[1:]) if bound is not None)
        if kind == "list":
            bounds = "".join(mark + str(bound) for mark, bound in zip("><", node[3:]) if bound is not None)
            keys = "" if node[2] is None else "#" + ",".join(node[2])
            return "[" + bounds + keys + "]" + self.text(node[1], path)
        if kind == "map":
            bounds = "".join(mark + str(bound) for mark, bound in zip("><", node[2:]) if bound is not None)
            return "{" + bounds + "}" + self.text(node[1], path)
        letter = {"": "s", "time": "t", "quantity": "q", "amount": "u", "integer-or-text": "o"}[node[1]]
        for name, value in node[2]:
            if name == "enum":
                if any(re.search(r"[\s|]", word) for word in value):
                    continue
                letter += "".join("|" + word for word in value)
        for name, value in node[2]:
            if name == "pattern":
                expression = patterns.normalized(value)
                counts.COUNT["patterns" if expression else "patterns that it cannot say"] += 1
                if expression:
                    letter += "~" + self.patterns.setdefault(expression, str(len(self.patterns) + 1))
            if name in ("least", "most"):
                letter += {"least": ">", "most": "<"}[name] + str(value)
        return letter


def render(objects, nodes):
    lines = Lines(nodes)  # Kubernetes has a Workload of its own
    of_objects = []
    for program, (version, kind), node, is_namespaced, mark in objects:
        scope = "N" if is_namespaced else "C"
        type_name = node[1] if node[0] == "ref" else lines.of_type(node, kind) if node[0] == "record" else "?"
        of_objects.append(f"O {version} {kind} {scope}{mark} {type_name} {program}")
    for name in sorted(nodes):
        if nodes[name][0] == "record":
            lines.add(name, nodes[name], "K")
        else:
            lines.lines.append(f"K {name}*")
    return of_objects + [f"P {number} {pattern}" for pattern, number in lines.patterns.items()] + lines.lines
