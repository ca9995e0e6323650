"""Counts what of the CRDs the table can say."""
import collections

COUNT = collections.Counter()


def summary():
    return ", ".join(f"{value} {key}" for key, value in COUNT.items())
