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
ids = model.tokenizer([prompt + text for text in texts], truncation=True, max_length=model.max_seq_length)["input_ids"]
Path(f"{out}.ids.json").write_text(json.dumps(ids))
vectors = model.encode(texts, prompt=prompt, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
Path(f"{out}.f32").write_bytes(vectors.astype("<f4").tobytes())
