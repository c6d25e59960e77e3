"""Golden tables for charges and rounding, made with Python's decimal and fractions alone.

Run `python3 test/corpus/charges/generate.py` to write rounding.json and evaluate.json beside this file.
Same seed, same bytes. Every rounding is done twice, with decimal and with fractions, and must agree.
"""

import json
import random
from decimal import (
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    Decimal,
    getcontext,
)
from fractions import Fraction
from pathlib import Path

SEED = 20261120
FOLDER = Path(__file__).parent
MODES = {
    "half_up": ROUND_HALF_UP,
    "half_even": ROUND_HALF_EVEN,
    "half_down": ROUND_HALF_DOWN,
    "ceil": ROUND_CEILING,
    "floor": ROUND_FLOOR,
    "trunc": ROUND_DOWN,
}
QUANTA = ["0.00000001", "0.000001", "0.000002", "0.0000005", "0.01", "0.000000000001"]

getcontext().prec = 200


def plain(value: Decimal) -> str:
    text = format(value.normalize(), "f")
    return "0" if text in ("-0", "") else text


def by_fractions(value: Fraction, quantum: Fraction, mode: str) -> Fraction:
    units = value / quantum
    down = units.numerator // units.denominator
    rest = units - down
    half = Fraction(1, 2)
    if rest == 0 or mode == "floor":
        up = False
    elif mode == "ceil":
        up = True
    elif mode == "trunc":
        up = units < 0
    elif rest != half:
        up = rest > half
    elif mode == "half_even":
        up = down % 2 == 1
    elif mode == "half_up":
        up = units > 0
    else:
        up = units < 0
    return (down + (1 if up else 0)) * quantum


def rounded(value: Decimal, quantum: str, mode: str) -> str:
    unit = Decimal(quantum)
    result = (value / unit).to_integral_value(rounding=MODES[mode]) * unit
    check = by_fractions(Fraction(value), Fraction(quantum), mode)
    assert Fraction(result) == check, (value, quantum, mode)
    return plain(result)


def rounding_cases(rng: random.Random) -> list:
    cases = []
    for mode in MODES:
        for quantum in QUANTA:
            unit = Decimal(quantum)
            for _ in range(10):
                value = Decimal(rng.randint(-(10**13), 10**13)).scaleb(-rng.randint(6, 18))
                cases.append([plain(value), quantum, mode, rounded(value, quantum, mode)])
            for _ in range(8):
                tie = unit * rng.randint(-1000, 1000) + unit / 2 * rng.choice([-1, 1])
                cases.append([plain(tie), quantum, mode, rounded(tie, quantum, mode)])
            for _ in range(4):
                near = unit * rng.randint(-50, 50) + unit / 2 + Decimal(rng.choice([-1, 1])).scaleb(-24)
                cases.append([plain(near), quantum, mode, rounded(near, quantum, mode)])
            whole = unit * rng.randint(-50, 50)
            cases.append([plain(whole), quantum, mode, rounded(whole, quantum, mode)])
    return cases


def price(rng: random.Random, most: int = 99) -> str:
    whole = rng.randint(0, most)
    digits = rng.randint(0, 6)
    return plain(Decimal(whole) + Decimal(rng.randint(0, 10**digits - 1)).scaleb(-digits))


def book(rng: random.Random, number: int, mode: str) -> dict:
    quantum = rng.choice(QUANTA[:4])
    tie_price = plain(Decimal(quantum) / 2 * 1_000_000)
    models = [
        {"id": "tie", "kind": "text", "unit": "per_1m_tokens", "input": tie_price, "output": tie_price,
         "cache_read": tie_price, "cache_write": tie_price}
    ]
    for index in range(6):
        model = {"id": f"text/{index}", "kind": "text", "unit": "per_1m_tokens",
                 "input": price(rng), "output": price(rng),
                 "context_window": 128000, "max_output_tokens": rng.choice([4096, 16384])}
        if index % 2 == 0:
            model["cache_read"] = price(rng, 9)
        if index % 3 == 0:
            model["cache_write"] = price(rng, 120)
        models.append(model)
    tiers = [{"size": size, "quality": quality, "price": price(rng, 1)}
             for size in ("1024x1024", "1536x1024", "auto-size") for quality in ("low", "medium", "high")]
    models.append({"id": "image:1", "kind": "image", "unit": "per_image", "tiers": tiers})
    models.append({"id": "video@1", "kind": "video", "unit": "per_second", "max_seconds": 20,
                   "tiers": [{"resolution": r, "price": price(rng, 2)} for r in ("480p", "720p", "1080p")]})
    adjustments = []
    if number % 2 == 1:
        adjustments.append({"name": "group", "factor": plain(Decimal(rng.randint(1, 300)).scaleb(-2))})
    if number % 3 == 1:
        adjustments.append({"name": "promotion", "factor": "0.875", "model": "text/1"})
    return {"object": "pricebook", "pricebook_id": f"pb_{number}", "pricing_version": f"v{number}", "currency": "USD",
            "effective_at": 1767225600, "updated_at": 1767225600,
            "rounding": {"scope": "record", "quantum": quantum, "mode": mode},
            "usage_semantics": {"input_includes_cache": True}, "models": models, "adjustments": adjustments}


def text_sum(model: dict, facts: dict) -> Decimal:
    cache = facts["cache_read"] + facts["cache_write"]
    plain_price = Decimal(model["input"])
    read = Decimal(model.get("cache_read", model["input"]))
    write = Decimal(model.get("cache_write", model["input"]))
    total = plain_price * (facts["input"] - cache) + read * facts["cache_read"] + write * facts["cache_write"]
    return (total + Decimal(model["output"]) * facts["output"]) / 1_000_000


def evaluate_case(rng: random.Random, document: dict, index: int) -> list:
    model = rng.choice(document["models"])
    if model["kind"] == "text":
        large = 10 ** rng.randint(1, 9)
        tokens = rng.randint(0, large)
        read = rng.choice([0, rng.randint(0, tokens)])
        write = rng.choice([0, rng.randint(0, tokens - read)])
        facts = {"input": tokens, "output": rng.choice([0, rng.randint(0, large)]),
                 "cache_read": read, "cache_write": write}
        total = text_sum(model, facts)
    elif model["kind"] == "image":
        tier = rng.choice(model["tiers"])
        facts = {"images": rng.randint(1, 9), "size": tier["size"], "quality": tier["quality"]}
        total = Decimal(tier["price"]) * facts["images"]
    else:
        tier = rng.choice(model["tiers"])
        facts = {"seconds": rng.randint(1, 20), "resolution": tier["resolution"]}
        total = Decimal(tier["price"]) * facts["seconds"]
    for adjustment in document["adjustments"]:
        if adjustment.get("model", model["id"]) == model["id"]:
            total *= Decimal(adjustment["factor"])
    rule = document["rounding"]
    return [index, model["id"], facts, plain(total), rounded(total, rule["quantum"], rule["mode"])]


def write(name: str, content: dict) -> None:
    lines = [f"  {json.dumps(key)}: [\n    " + ",\n    ".join(json.dumps(item) for item in value) + "\n  ]"
             if isinstance(value, list) else f"  {json.dumps(key)}: {json.dumps(value)}"
             for key, value in content.items()]
    (FOLDER / name).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    rng = random.Random(SEED)
    write("rounding.json", {"seed": SEED, "columns": ["value", "quantum", "mode", "rounded"],
                            "cases": rounding_cases(rng)})
    books = [book(rng, number, mode) for number, mode in enumerate(list(MODES) * 2)]
    cases = [evaluate_case(rng, document, index) for index, document in enumerate(books) for _ in range(150)]
    write("evaluate.json", {"seed": SEED, "columns": ["book", "model", "facts", "exact", "rounded"],
                            "books": books, "cases": cases})


if __name__ == "__main__":
    main()
