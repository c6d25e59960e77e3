"""Writes masked.json: texts that hold a secret, and what must be left of them. Only Python's own encoders are used.

python3 test/corpus/secrets/generate.py > test/corpus/secrets/masked.json
"""

import base64
import html
import json
import urllib.parse

MASK = "[key]"
KEYS = [
    "sk-test-0123456789abcdef",
    "sk-planted/secret+0123456789abcdef==",
    "sk-~?>~?>secret-text",
    "token.0123456789/abcdefgh",
    "sk-ends-in-a-name&ab",
    'sk-"quo\\ted"&<50%41>-0123',
]
HTML_NAMES = {
    "&": "amp", "'": "apos", "*": "ast", "\\": "bsol", ":": "colon", ",": "comma", "@": "commat", "$": "dollar",
    "=": "equals", "!": "excl", "`": "grave", ">": "gt", "^": "Hat", "{": "lcub", "_": "lowbar", "(": "lpar",
    "[": "lsqb", "<": "lt", "#": "num", "%": "percnt", ".": "period", "+": "plus", "?": "quest", '"': "quot",
    "}": "rcub", ")": "rpar", "]": "rsqb", ";": "semi", "/": "sol", "|": "vert",
}

cases = []


def case(name, secrets, text, prose, in_name=None):
    cases.append({"name": name, "secrets": secrets, "text": text, "prose": prose,
                  "in_name": prose if in_name is None else in_name})


def nested(escape, text, depth):
    for _ in range(depth):
        text = escape(text)
    return text


def quoted(text):
    return json.dumps(text)[1:-1]


def percent(text):
    return urllib.parse.quote(text, safe="")


def percent_all(text):
    return "".join(f"%{ord(char):02X}" for char in text)


def small_percent(text):
    return "".join(part.lower() if at else part for at, part in enumerate_escapes(percent(text)))


def enumerate_escapes(text):
    at = 0
    while at < len(text):
        size = 3 if text[at] == "%" else 1
        yield size == 3, text[at : at + size]
        at += size


def decimal(text):
    return "".join(f"&#{ord(char)};" for char in text)


def hexadecimal(text):
    return "".join(f"&#x{ord(char):X};" for char in text)


def unicode_escapes(text):
    return "".join(f"\\u{ord(char):04x}" for char in text)


def mixed(text):
    """Each third character as it is, in a URL, in JSON."""
    ways = [lambda char: char, percent_all, unicode_escapes]
    return "".join(ways[at % 3](char) for at, char in enumerate(text))


def written(secret):
    yield "as it is", secret
    for depth in range(1, 5):
        yield f"in JSON, {depth} deep", nested(quoted, secret, depth)
        yield f"in JSON of code points, {depth} deep", nested(quoted, unicode_escapes(secret), depth - 1)
        yield f"in JSON with its slashes escaped, {depth} deep", nested(quoted, secret.replace("/", "\\/"), depth - 1)
        yield f"in a URL, {depth} deep", nested(percent, secret, depth)
        yield f"in a URL with every character, {depth} deep", nested(percent, percent_all(secret), depth - 1)
        yield f"in HTML, {depth} deep", nested(html.escape, secret, depth)
        yield f"in HTML by numbers, {depth} deep", nested(html.escape, decimal(secret), depth - 1)
    yield "in a URL in small letters", small_percent(secret)
    yield "in a URL with every character in small letters", percent_all(secret).lower()
    yield "in a form", urllib.parse.urlencode({"k": secret})[2:]
    yield "in code points of large letters", "".join(f"\\u{ord(char):04X}" for char in secret)
    yield "in braced code points", "".join(f"\\u{{{ord(char):x}}}" for char in secret)
    yield "in bytes of a string", "".join(f"\\x{ord(char):02x}" for char in secret)
    yield "in HTML by hexadecimal numbers", hexadecimal(secret)
    yield "in HTML by small hexadecimal numbers", hexadecimal(secret).lower()
    yield "in HTML by long numbers", "".join(f"&#{ord(char):07d};" for char in secret)
    yield "in HTML by names", "".join(f"&{HTML_NAMES[char]};" if char in HTML_NAMES else char for char in secret)
    yield "one character in a URL", secret[:5] + percent_all(secret[5]) + secret[6:]
    yield "one character in code points", secret[:5] + unicode_escapes(secret[5]) + secret[6:]
    yield "in three ways", mixed(secret)
    yield "a URL in HTML in JSON", quoted(html.escape(percent(secret)))
    yield "JSON in a URL in JSON", quoted(percent(quoted(secret)))
    hexes = secret.encode().hex()
    yield "in hexadecimal", hexes
    yield "in large hexadecimal", hexes.upper()
    yield "in hexadecimal in a URL", percent_all(hexes)


def in_base64(secret, before, after):
    """What is left: the characters that carry no bit of the secret."""
    start, end = 8 * len(before), 8 * (len(before) + len(secret))
    for alphabet, encode in (("base64", base64.b64encode), ("base64url", base64.urlsafe_b64encode)):
        text = encode((before + secret + after).encode()).decode()
        left = text[: start // 6] + MASK + text[-(-end // 6) :]
        yield alphabet, text, left
        yield f"{alphabet} without padding", text.rstrip("="), left.rstrip("=")


for key in KEYS:
    cores = [("", key)] + ([(" without sk-", key[3:])] if key.startswith("sk-") else [])
    for which, secret in cores:
        for form, text in written(secret):
            case(f"{form}{which}: {key}", [key], f"a {text} b", f"a {MASK} b")
        for before in ("", "u", "Bearer ", "user:"):
            for after in ("", "&x=1"):
                for form, text, left in in_base64(secret, before, after):
                    case(f"{form} behind {before!r} and before {after!r}{which}: {key}", [key], f"a {text} b", f"a {left} b")
        text = base64.b64encode(secret.encode()).decode()
        tail = len(text) - len(text.rstrip("="))
        case(f"base64 in a URL{which}: {key}", [key], f"a {percent(text)} b", f"a {MASK}{'%3D' * tail} b")
        slashes = text.replace("/", "\\/")
        case(f"base64 in JSON{which}: {key}", [key], f"a {slashes} b", f"a {MASK}{'=' * tail} b")

KEY = KEYS[0]
for size in range(4, len(KEY)):
    case(f"cut after {size} characters", [KEY], f"a {KEY[:size]}", f"a {MASK}")
for size in range(8, len(KEY) - 3):
    case(f"cut after {size} characters behind sk-", [KEY], f"a {KEY[3:][:size]}", f"a {MASK}")
    case(f"cut in hexadecimal after {size} characters", [KEY], f"a {KEY.encode().hex()[:size]}", f"a {MASK}")
for cut in range(1, 3):
    case(f"cut within an escape, {cut} from its end", [KEY], f"a {percent_all(KEY[:12])[:-cut]}", f"a {MASK}")
    case(f"cut within a code point, {cut} from its end", [KEY], f"a {unicode_escapes(KEY[:12])[:-cut]}", f"a {MASK}")
    case(f"cut within a number of HTML, {cut} from its end", [KEY], f"a {hexadecimal(KEY[:12])[:-cut]}", f"a {MASK}")
case("cut too early to tell", [KEY], "a sk-", "a sk-")
case("many of it", [KEY], KEY * 3 + "x" + KEY, MASK * 3 + "x" + MASK)
case("two secrets", [KEY, KEYS[3]], f"{KEYS[3]}, {KEY}.", f"{MASK}, {MASK}.")
case("one begins another", [KEY, KEY + "-more"], f"{KEY}-more {KEY}", f"{MASK} {MASK}")
case("in a document of JSON", [KEY], json.dumps({"a": KEY, KEY: [f"x\n{KEY}\\"]}),
     '{"a": "[key]", "[key]": ["x\\n[key]\\\\"]}')
encoded = base64.b64encode(b"u" + KEY.encode()).decode()
case("base64 behind an escape", [KEY], f'{{"a":"\\n{encoded[2:]}"}}', f'{{"a":"{MASK}{encoded[len(encoded.rstrip("=")):]}"}}')
case("beside letters of other lengths", [KEY], f"İ {KEY.encode().hex().upper()} é {KEY} 🙂", f"İ {MASK} é {MASK} 🙂")
case("no secret", [], f"a {KEY} b", f"a {KEY} b")
case("a text without any", [KEY], 'ok, "quoted" \\ /v1/models %41 &amp; &#x1F600; \\u00e9 sk-other', 'ok, "quoted" \\ /v1/models %41 &amp; &#x1F600; \\u00e9 sk-other')

# Short ones: whole, as they are, and only in sentences where they may be any word.
for short in ("none", "ok", "chat", "EMPTY", "0123", "hunter2-xyz"):
    case(f"short, in a sentence: {short}", [short], f"the key {short} (\"{short}\"), {short}.",
         f"the key {MASK} (\"{MASK}\"), {MASK}.", f"the key {short} (\"{short}\"), {short}.")
    case(f"short, within words: {short}", [short], f"x{short} {short}s 7{short} {short}7", f"x{short} {short}s 7{short} {short}7")
    case(f"short, encoded: {short}", [short], f"{short.encode().hex()} {base64.b64encode(short.encode()).decode()} {percent_all(short)}",
         f"{short.encode().hex()} {base64.b64encode(short.encode()).decode()} {percent_all(short)}")
    case(f"short, cut: {short}", [short], f"a {short[:-1]}", f"a {short[:-1]}")
for short in ("sk-1234", "sk-0123456789a"):
    case(f"short with sk-: {short}", [short], f'{{"key":"{short}","x":"\\n{short}"}} task-1234 {short}5 {short[3:]}',
         f'{{"key":"{MASK}","x":"\\n{MASK}"}} task-1234 {short}5 {short[3:]}')
    case(f"short with sk-, encoded: {short}", [short], f"{percent_all(short)} {base64.b64encode(short.encode()).decode()}",
         f"{percent_all(short)} {base64.b64encode(short.encode()).decode()}")
case("as long as is sought encoded", ["sk-0123456789ab"], base64.b64encode(b"sk-0123456789ab").decode(), MASK)

print("[")
print(",\n".join(json.dumps(one, ensure_ascii=False) for one in cases))
print("]")
