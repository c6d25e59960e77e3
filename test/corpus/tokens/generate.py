"""Golden token counts, made with Python's tiktoken 0.14.0, whose own split and merges share no code with the tokenizer in use.

Run `pip install tiktoken==0.14.0` in a virtual environment, then `python generate.py` to write counts.json beside this
file. Same seed, same bytes. The tables of merges are those of the installed npm package, refused where their SHA-256 is
not the one that tiktoken itself asks for.
"""

import hashlib
import json
import random
from pathlib import Path

import tiktoken
from tiktoken.load import load_tiktoken_bpe
from tiktoken_ext import openai_public

SEED = 20261121
FOLDER = Path(__file__).parent
TABLES = FOLDER.parents[2] / "node_modules" / "gpt-tokenizer" / "data"

WORDS = [
    "the", "report", "of", "Monday", "was", "carefully", "weighed", "behind", "a", "harbour", "wb3f9c1e07a4d2b688",
    "don't", "we'll", "1234567", "3.14159", "naïve", "Zürich", "straße", "漢字", "かな", "Привет", "مرحبا", "🙂", "👩‍🚀",
    "foo_bar(baz);", "https://example.org/a?b=c", "<|endoftext|>", "McDonald", "iPhone", "\t", "\n\n", "  ", "--", "…",
]


def encoding(name, build):
    def local(_url, expected_hash):
        path = TABLES / f"{name}.tiktoken"
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        assert found == expected_hash, (name, found)
        return load_tiktoken_bpe(str(path), expected_hash)

    openai_public.load_tiktoken_bpe = local
    return tiktoken.Encoding(**build())


def texts(rng):
    yield ""
    yield "hello world"
    yield "The quick brown fox jumps over the lazy dog."
    for length in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144] * 6:
        yield " ".join(rng.choice(WORDS) for _ in range(length))
    for length in [1, 7, 40, 200]:
        yield "a" * length
        yield " " * length
        yield "".join(chr(rng.randrange(32, 127)) for _ in range(length))
        yield "".join(chr(rng.randrange(0x400, 0x500)) for _ in range(length))


def main():
    encodings = {
        "o200k_base": encoding("o200k_base", openai_public.o200k_base),
        "cl100k_base": encoding("cl100k_base", openai_public.cl100k_base),
    }
    rows = [
        {"text": text, **{name: len(each.encode(text, disallowed_special=())) for name, each in encodings.items()}}
        for text in texts(random.Random(SEED))
    ]
    body = ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows)
    (FOLDER / "counts.json").write_text(f"[\n{body}\n]\n")
    print(len(rows), "rows")


main()
