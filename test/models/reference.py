"""Writes what sentence-transformers makes of texts: `<out>.ids.json` and `<out>.f32`, a unit vector for each text.

Called with a model's directory, a file with the texts, `query` or `document`, and <out>.
"""

import json
import sys
from pathlib import Path

from sentence_transformers import SentenceTransformer

directory, texts, input_type, out = sys.argv[1:]
texts = json.loads(Path(texts).read_text())
model = SentenceTransformer(directory, device="cpu")
prompt = model.prompts.get(input_type) or ""
transformer = model[0]


def tokenize(texts, padding=True):
    """Tokenizes the texts as they are, like version 6. Earlier versions remove the white space around each text."""
    return transformer.tokenizer(
        texts, padding=padding, truncation="longest_first", return_tensors="pt", max_length=transformer.max_seq_length
    )


transformer.tokenize = tokenize
ids = transformer.tokenizer([prompt + text for text in texts], truncation="longest_first", max_length=transformer.max_seq_length)
Path(f"{out}.ids.json").write_text(json.dumps(ids["input_ids"]))
vectors = model.encode(texts, prompt=prompt, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
Path(f"{out}.f32").write_bytes(vectors.astype("<f4").tobytes())
