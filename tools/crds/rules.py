"""Rules and patterns of CRDs, as far as the table can say them."""
import collections

COUNT = collections.Counter()


def of(schema, below=None):
    found = []
    for rule in schema.get("x-kubernetes-validations", []):
        COUNT["rules"] += 1
    return found


def summary():
    return ", ".join(f"{value} {key}" for key, value in COUNT.items())
