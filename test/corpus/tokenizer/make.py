"""Makes tokenizer.json and counts.json with the tokenizers of PyPI, in Rust: what ours must count alike.

Run from the root of a clone: python3 test/corpus/tokenizer/make.py
"""
import json
import random
import re
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, decoders, processors, trainers

HERE = Path(__file__).parent
words = re.findall(r"'([^']+)'", Path("src/core/word-list.ts").read_text())
random.seed(3)
corpus = [" ".join(random.choice(words) for _ in range(12)) + "." for _ in range(400)]
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
tokenizer.train_from_iterator(corpus, trainers.BpeTrainer(
    vocab_size=420, special_tokens=["<s>", "</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
# A template adds two tokens, which no answer holds.
tokenizer.post_processor = processors.TemplateProcessing(
    single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)])
tokenizer.save(str(HERE / "tokenizer.json"), pretty=False)
TEXTS = ["The old mill stood by the river.", "größe 🙂 größe", "  two  spaces\n\nand lines", "<s> is text", "",
         "The quick cat, she said, “sat”."]
counts = [{"text": text, "tokens": len(tokenizer.encode(text, add_special_tokens=False).ids)} for text in TEXTS]
(HERE / "counts.json").write_text(json.dumps(counts, ensure_ascii=False, indent=1) + "\n")
