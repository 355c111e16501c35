"""Writes what sentence-transformers makes of texts: `<out>.ids.json` and `<out>.f32`, a unit vector for each text.

The ids are those of the library `tokenizers` for the model's tokenizer.json. Version 5 of transformers builds the
tokenizers of some classes, such as XLM-RoBERTa's, from the vocabulary alone and ignores the other settings of
tokenizer.json. The texts that it therefore reads otherwise are listed, because their vectors mean something else.

Called with a model's directory, a file with the texts, `query` or `document`, and <out>.
"""

import json
import sys
from pathlib import Path

from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

directory, texts, input_type, out = sys.argv[1:]
texts = json.loads(Path(texts).read_text())
model = SentenceTransformer(directory, device="cpu")
prompt = model.prompts.get(input_type) or ""
prompted = [prompt + text for text in texts]
tokenizer = Tokenizer.from_file(str(Path(directory, "tokenizer.json")))
tokenizer.no_padding()
tokenizer.enable_truncation(model.max_seq_length)
ids = [encoding.ids for encoding in tokenizer.encode_batch(prompted)]
theirs = model.tokenizer(prompted, truncation=True, max_length=model.max_seq_length)["input_ids"]
otherwise = [i for i in range(len(texts)) if ids[i] != theirs[i]]
Path(f"{out}.ids.json").write_text(json.dumps({"ids": ids, "otherwise": otherwise}))
vectors = model.encode(texts, prompt=prompt, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
Path(f"{out}.f32").write_bytes(vectors.astype("<f4").tobytes())
