"""Writes decidable.json: which planted fault can be told, and in which worlds less of it.

python3 test/corpus/decidable/main.py > test/corpus/decidable/decidable.json
"""

import json
from pathlib import Path

from charges import CHARGES
from evidence import EVIDENCE
from honest import refute
from reads import READS

RANK = {"no": 0, "bounded": 1, "proved": 2}


def lowers_of(given):
    """Lists what lowers the verdict, each condition once: the weakest that any evidence leaves."""
    weakest = {}
    for one in [lower for need in given["needs"] for lower in EVIDENCE[need]] + given["more"]:
        when = tuple(one["when"])
        if RANK[one["to"]] >= RANK[given["verdict"]] and "as" not in one:
            continue
        if when not in weakest or RANK[one["to"]] < RANK[weakest[when]["to"]]:
            weakest[when] = one
    return list(weakest.values())


def row(fault, given):
    refute(fault, given["verdict"])
    bound = {"bound": given["bound"], "bound_usd": given["bound_usd"]} if given["verdict"] == "bounded" else {}
    return {"fault": fault, "verdict": given["verdict"], "because": given["because"], **bound, "lowers": lowers_of(given)}


def planted():
    """Lists the faults of bills by name, in the order of the corpus."""
    corpus = json.loads(Path(__file__).parent.with_name("faults.json").read_text())
    return [f"{one['fault']}, {one['variant']}" if "variant" in one else one["fault"]
            for one in corpus if one["fault"].startswith("bill.")]


cells = {**CHARGES, **READS}
names = planted()
strange = set(names) ^ set(cells)
if strange:
    raise SystemExit(f"only in one of corpus and table: {sorted(strange)}")
print("[\n" + ",\n".join(json.dumps(row(name, cells[name])) for name in names) + "\n]")
