"""Writes prefixes.json: bodies of requests and the keyed digests of how their prompts begin.

Python, because neither xk6/prefix nor src/wire may judge itself. `python3 test/corpus/prefixes/generate.py` writes the
same bytes again.
"""

import hashlib
import hmac
import json
from pathlib import Path

KEY = "sk-prefix-corpus-0123456789"
PARTS = ["tools", "system", "instructions", "messages", "input", "prompt"]
RUNGS = sorted([2**k for k in range(10, 40)] + [3 * 2 ** (k - 1) for k in range(10, 40)])
LONG = "The river rises where the old mill stands. "


def unmarked(value):
    if isinstance(value, dict):
        return {name: unmarked(held) for name, held in value.items() if name != "cache_control"}
    return [unmarked(each) for each in value] if isinstance(value, list) else value


def units(body):
    found = []
    for part in PARTS:
        if part in body:
            value = body[part]
            for unit in value if isinstance(value, list) else [value]:
                found.append(json.dumps(unmarked(unit), separators=(",", ":"), ensure_ascii=False).encode())
    return found


def prefixes(parts):
    own = hmac.new(KEY.encode(), b"weighbridge.prefix/1", hashlib.sha256).digest()
    chain, total, edges = bytes(32), 0, []
    for unit in parts:
        while unit:
            room = next(rung for rung in RUNGS if rung > total) - total
            part, unit = unit[:room], unit[room:]
            total += len(part)
            chain = hmac.new(own, chain + part, hashlib.sha256).digest()
            if total >= 256:
                edges.append({"bytes": total, "digest": chain.hex()[:16]})
    return edges if len(edges) <= 48 else edges[:16] + edges[-32:]


def case(name, body, **text):
    return {"name": name, "body": json.dumps(body, ensure_ascii=False, **text), "prefixes": prefixes(units(body))}


def refused(name, body):
    return {"name": name, "body": body, "prefixes": None}


def chat(*contents, **more):
    messages = [{"role": role, "content": content} for role, content in contents]
    return {"model": "m", "messages": messages, **more}


SYSTEM = ("system", LONG * 40)
MARK = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
TEXT = {"type": "text", "text": LONG * 30}
ESCAPED = '{"role":"user","content":"' + 'quote \\" slash \\\\ line \\n é 你好 🙂 ' * 20 + '"}'
CASES = [
    case("a short prompt has no beginnings", chat(("user", "hi"))),
    case("messages end at edges, and a long one has rungs", chat(SYSTEM, ("user", LONG * 120))),
    case("white space between values is no part of it", chat(SYSTEM, ("user", "go on")), indent=2),
    case("cache marks are no part of it", chat(("system", [{**MARK, **TEXT}]), ("user", [{**TEXT, **MARK}]))),
    case("the same without marks", chat(("system", [TEXT]), ("user", [TEXT]))),
    case(
        "tools and system stand before messages, wherever they stand",
        chat(("user", LONG * 20), system=LONG * 9, tools=[{"name": "a", "input_schema": {"properties": {}}}, {"name": "b"}]),
    ),
    case("a text as input", {"model": "m", "input": LONG * 12, "instructions": LONG * 8}),
    {
        "name": "escapes and other scripts",
        "body": '{"messages":[' + ESCAPED + '],"n":-1.5e3}',
        "prefixes": prefixes([ESCAPED.encode()]),
    },
    case(
        "of many edges the first and the last are kept",
        chat(*[("user" if turn % 2 == 0 else "assistant", f"turn {turn} {LONG * 7}") for turn in range(70)]),
    ),
    refused("no prompt", '{"model":"m","stream":true}'),
    refused("half a body", '{"model":"m","messages":[{"role":"user","content":"abc'),
    refused("no JSON", "model=m&prompt=abc"),
    refused("a list", "[1,2]"),
    refused("another sign than a comma", '{"messages":["a";"b"]}'),
]

path = Path(__file__).with_name("prefixes.json")
path.write_text(json.dumps({"key": KEY, "cases": CASES}, ensure_ascii=False, indent=1) + "\n")
