"""Golden tables for charges and rounding, made with Python's decimal and fractions alone.

Run `python3 test/corpus/charges/generate.py` to write rounding.json, evaluate.json and normal-form.json beside this file.
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


INPUT_PARTS = {"cache_read_token": "cache_read", "image_input_token": "image_input", "audio_input_token": "audio_input"}
OUTPUT_PARTS = {"image_output_token": "image_output", "audio_output_token": "audio_output"}
NO_LIMITS = {"valid_from": None, "valid_to": None}


def component(meter: str, usd: str, **options) -> dict:
    return {"meter": meter, "price": usd, "per": "1000000" if meter.endswith("_token") else "1", **options}


def normal_model(rng: random.Random, name: str, feature: str, quantum: str) -> dict:
    """One model whose price has the feature; everything else is plain."""
    tie = plain(Decimal(quantum) / 2 * 1_000_000)
    components = [component("input_token", tie if feature == "plain" else price(rng)),
                  component("output_token", tie if rng.random() < 0.3 else price(rng)),
                  component("cache_read_token", price(rng, 9)), component("cache_write_token", price(rng, 120))]
    model = {"model": name, "match": {"kind": "exact", "text": name}, "priority": 0, "kind": "text", "endpoints": None,
             "when": {}, **NO_LIMITS, "time_of_day": None, "components": components, "tiers": None, "minimum": None,
             "rounding": None, "usage_semantics": None, "max_output_tokens": None}
    if feature in ("cliff", "graduated"):
        basis = rng.choice(["context_len", "input", "output"])
        changed = {"context_len": ["input_token", "cache_read_token"], "input": ["input_token"],
                   "output": ["output_token"]}[basis]
        if feature == "cliff" and basis == "context_len":
            changed = changed + ["output_token"]
        model["tiers"] = {"basis": basis, "mode": feature, "inclusive": rng.choice(["gt", "ge"]), "thresholds": [
            {"above": str(above), "components": [component(meter, price(rng)) for meter in changed]}
            for above in (rng.choice([1000, 128000]), 200000)]}
    elif feature == "minimum":
        if rng.random() < 0.3:
            for each in components:
                each["price"] = "0"
        model["minimum"] = {"amount": rng.choice(["0.000002", "0.00001", "0.5"]),
                            "applies": rng.choice(["nonzero_price", "always"]),
                            "zero_tokens": rng.choice(["zero", "minimum"])}
    elif feature == "rounding":
        model["rounding"] = {"scope": rng.choice(["record", "component", "component"]), "quantum": rng.choice(QUANTA),
                             "mode": rng.choice(list(MODES)), "pre": []}
        if rng.random() < 0.4:
            model["rounding"]["pre"] = [{"meter": "cache_read_token", "quantum": rng.choice(QUANTA),
                                         "mode": rng.choice(list(MODES))}]
    elif feature == "reasoning":
        mode = rng.choice(["included", "additive", None])
        extra = component("reasoning_token", price(rng))
        if mode is not None:
            extra["mode"] = mode
        else:
            model["usage_semantics"] = {"input_includes_cache": "yes", "cache_write_included": "yes",
                                        "output_includes_reasoning": rng.choice(["yes", "no"])}
        components.append(extra)
    elif feature == "ttl":
        components.append(component("cache_write_token", price(rng, 200), ttl="1h"))
        if rng.random() < 0.5:
            components.append(component("cache_write_token", price(rng, 150), ttl="5m"))
    elif feature == "media":
        for meter in (*INPUT_PARTS, *OUTPUT_PARTS):
            if meter != "cache_read_token":
                components.append(component(meter, price(rng)))
    elif feature == "steps":
        components.append(component("request", price(rng, 1)))
        components.append(component("tool_call", price(rng, 1), tool="search"))
        components.append(component("tool_call", price(rng, 1)))
        components[1]["unit_rounding"] = {"mode": "ceil", "step": "1000", "at_least": rng.choice(["0", "5000"])}
    elif feature == "video":
        model["kind"] = "video"
        model["components"] = [component("video_second", price(rng, 2),
                                         unit_rounding={"mode": "ceil", "step": "1", "at_least": "5"})]
    return model


FEATURES = ["cliff", "graduated", "minimum", "rounding", "reasoning", "ttl", "media", "steps", "video", "plain"]


def normal_book(rng: random.Random, number: int, mode: str) -> dict:
    adjustments = []
    for order in rng.sample(range(10), rng.randint(0, 3)):
        kind = rng.choice(["multiplier", "discount", "markup", "surcharge"])
        factor = plain(Decimal(rng.randint(1, 99)).scaleb(-2 if kind != "surcharge" else -6))
        adjustments.append({"name": f"a{order}", "kind": kind, "factor": factor, "model": rng.choice([None, "cliff"]),
                            "endpoint": rng.choice([None, None, "chat"]), "group": rng.choice([None, None, "vip"]),
                            "key_fp": None, **NO_LIMITS, "order": order})
    quantum = rng.choice(QUANTA[:4])
    return {"schema": "weighbridge.pricebook/1", "pricebook_id": f"nb_{number}", "pricing_version": f"v{number}",
            "currency": "USD", "source": {"kind": "yaml", "sha256": "", "fetched_at": None}, **NO_LIMITS,
            "rounding": {"scope": "record", "quantum": quantum, "mode": mode, "pre": []},
            "minimum": None, "usage_semantics": {"input_includes_cache": "yes", "cache_write_included": "yes",
                                                 "output_includes_reasoning": "yes"},
            "models": [normal_model(rng, feature, feature, quantum) for feature in FEATURES], "adjustments": adjustments}


def best(components: list, meter: str, **options) -> dict | None:
    fitting = [each for each in components if each["meter"] == meter
               and all(name not in each or each[name] == value for name, value in options.items())]
    return max(fitting, key=lambda each: sum(name in each for name in options), default=None)


def billed(each: dict, units: Fraction) -> Fraction:
    rule = each.get("unit_rounding")
    if rule is None or units == 0:
        return units
    return max(by_fractions(units, Fraction(rule["step"]), rule["mode"]), Fraction(rule["at_least"]))


def before_sum(rule: dict, each: dict, units: Fraction) -> Fraction:
    charge = Fraction(each["price"]) / Fraction(each["per"]) * billed(each, units)
    own = [pre for pre in rule["pre"] if pre["meter"] == each["meter"]]
    if own:
        return by_fractions(charge, Fraction(own[0]["quantum"]), own[0]["mode"])
    if rule["scope"] == "component":
        return by_fractions(charge, Fraction(rule["quantum"]), rule["mode"])
    return charge


def tier_list(model: dict) -> list:
    """[(first size, components)], ascending."""
    tiers = [(0, model["components"])]
    for threshold in (model["tiers"] or {"thresholds": []})["thresholds"]:
        restated = {each["meter"] for each in threshold["components"]}
        kept = [each for each in tiers[-1][1] if each["meter"] not in restated]
        first = int(threshold["above"]) + (1 if model["tiers"]["inclusive"] == "gt" else 0)
        tiers.append((first, kept + threshold["components"]))
    return tiers


def token_lines(model: dict, facts: dict) -> list:
    """[(meter, options, fallback, units)] of both sides in the order in which they count."""
    has = {each["meter"] for each in model["components"]}
    write_1h = facts["cache_write_1h"]
    if any("ttl" in each for each in model["components"]):
        writes = [({"ttl": "5m"}, facts["cache_write"] - write_1h), ({"ttl": "1h"}, write_1h)]
    else:
        writes = [({}, facts["cache_write"])]
    lines = [("cache_read_token", {}, "input_token", facts["cache_read"])]
    lines += [("cache_write_token", options, "input_token", units) for options, units in writes]
    lines += [(meter, {}, "input_token", facts[fact]) for meter, fact in INPUT_PARTS.items()
              if meter != "cache_read_token" and meter in has]
    lines.append(("input_token", {}, None, facts["input"] - sum(line[3] for line in lines)))
    output = [(meter, {}, "output_token", facts[fact]) for meter, fact in OUTPUT_PARTS.items() if meter in has]
    beside = []
    reasoning = best(model["components"], "reasoning_token")
    if reasoning is not None:
        told = (model["usage_semantics"] or {}).get("output_includes_reasoning", "yes")
        mode = reasoning.get("mode", "additive" if told == "no" else "included")
        (beside if mode == "additive" else output).append(("reasoning_token", {}, "output_token", facts["reasoning"]))
    output.append(("output_token", {}, None, facts["output"] - sum(line[3] for line in output)))
    return [lines, output, beside]


def normal_sum(model: dict, facts: dict, rule: dict) -> Fraction:
    tiers = tier_list(model)
    spec = model["tiers"]
    sides = token_lines(model, facts)
    size = {"context_len": facts["input"], "input": sides[0][-1][3], "output": facts["output"]}[spec["basis"]] if spec else 0
    at = max(index for index, (first, _) in enumerate(tiers) if size >= first)
    total = Fraction(0)
    for side, lines in enumerate(sides):
        place = 0
        for meter, options, fallback, units in lines:
            pick = lambda components: best(components, meter, **options) or best(components, fallback)
            if spec and spec["mode"] == "graduated" and side == (1 if spec["basis"] == "output" else 0):
                for index, (first, components) in enumerate(tiers):
                    last = tiers[index + 1][0] - 1 if index + 1 < len(tiers) else 10**30
                    inside = max(0, min(place + units, last) - max(place, max(first, 1) - 1))
                    total += before_sum(rule, pick(components), Fraction(inside))
                if spec["basis"] != "input":
                    place += units
            else:
                components = tiers[at][1] if spec and spec["mode"] == "cliff" else model["components"]
                total += before_sum(rule, pick(components), Fraction(units))
    for name, calls in facts["tools"].items():
        each = best(model["components"], "tool_call", tool=name)
        total += before_sum(rule, each, Fraction(calls)) if each else 0
    request = best(model["components"], "request")
    return total + (before_sum(rule, request, Fraction(1)) if request else 0)


def normal_case(rng: random.Random, document: dict, index: int) -> list:
    model = rng.choice(document["models"])
    rule = model["rounding"] or document["rounding"]
    endpoint = rng.choice(["chat", "messages"])
    group = rng.choice(["none", "vip"])
    if model["kind"] == "video":
        endpoint = "video"
        length = Decimal(rng.randint(0, 120)).scaleb(-rng.choice([0, 1]))
        facts = {"seconds": plain(length)}
        total = before_sum(rule, model["components"][0], Fraction(length))
        unused = length == 0
    else:
        edges = [int(each["above"]) for each in (model["tiers"] or {"thresholds": []})["thresholds"]]
        near = [max(0, edge + step) for edge in edges for step in (-1, 0, 1)] + [0, 1, 10**12]
        draw = lambda most: min(most, rng.choice([rng.randint(0, most), rng.choice(near)]))
        tokens, output = draw(10 ** rng.randint(1, 7)), draw(10 ** rng.randint(1, 7))
        if rng.random() < 0.1:
            tokens = output = 0
        left = tokens
        parts = {}
        for name in ("cache_read", "cache_write", "image_input", "audio_input"):
            parts[name] = rng.choice([0, rng.randint(0, left)])
            left -= parts[name]
        rest = output
        for name in ("reasoning", "image_output", "audio_output"):
            parts[name] = rng.choice([0, rng.randint(0, rest)])
            rest -= parts[name]
        facts = {"input": tokens, "output": output, **parts,
                 "cache_write_1h": rng.choice([0, rng.randint(0, parts["cache_write"])]),
                 "tools": {"search": rng.randint(0, 3), "other": rng.randint(0, 2)} if tokens else {}}
        total = normal_sum(model, facts, rule)
        additive = token_lines(model, facts)[2]
        counted = model["model"] == "steps" and any(facts["tools"].values())
        unused = tokens == 0 and output == 0 and not counted and all(line[3] == 0 for line in additive)
    times, plus = Fraction(1), Fraction(0)
    for each in sorted(document["adjustments"], key=lambda adjustment: adjustment["order"]):
        scope = (each["model"] in (None, model["model"]) and each["endpoint"] in (None, endpoint)
                 and each["group"] in (None, group))
        factor = Fraction(each["factor"])
        if not scope:
            continue
        if each["kind"] == "surcharge":
            plus += factor
            continue
        by = {"multiplier": factor, "discount": 1 - factor, "markup": 1 + factor}[each["kind"]]
        times, plus = times * by, plus * by
    total = total * times + plus
    minimum = model["minimum"]
    if minimum is not None:
        free = plus == 0 and (times == 0 or all(Fraction(each["price"]) == 0 for each in model["components"]))
        spared = (minimum["applies"] == "nonzero_price" and free) or (minimum["zero_tokens"] == "zero" and unused)
        if not spared:
            total = max(total, Fraction(minimum["amount"]))
    result = by_fractions(total, Fraction(rule["quantum"]), rule["mode"])
    decimal = Decimal(result.numerator) / Decimal(result.denominator)
    assert Fraction(decimal) == result
    return [index, model["model"], endpoint, group, facts, f"{total.numerator}/{total.denominator}", plain(decimal)]


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
    books = [normal_book(rng, number, mode) for number, mode in enumerate(list(MODES) * 2)]
    cases = [normal_case(rng, document, index) for index, document in enumerate(books) for _ in range(120)]
    write("normal-form.json", {"seed": SEED,
                               "columns": ["book", "model", "endpoint", "group", "facts", "exact", "rounded"],
                               "books": books, "cases": cases})


if __name__ == "__main__":
    main()
