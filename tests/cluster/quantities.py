"""Quantities as Kubernetes reads them."""

import re
from decimal import Decimal

SUFFIXES = {"": 1, "n": Decimal("1e-9"), "u": Decimal("1e-6"), "m": Decimal("1e-3"), "k": 10**3, "M": 10**6, "G": 10**9,
            "T": 10**12, "P": 10**15, "E": 10**18,
            **{f"{letter}i": 1024**power for power, letter in enumerate("KMGTPE", 1)}}


def value_of(text):
    """1.5Gi as a number."""
    number, suffix = re.fullmatch(r"([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([numkMGTPE]i?|Ki)?", str(text)).groups()
    return Decimal(number) * SUFFIXES[suffix or ""]
