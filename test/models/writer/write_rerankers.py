"""Writes cross-encoders with random weights, and beside each what sentence-transformers' CrossEncoder makes of pairs.

`scores.json` has raw scores, and the indices of pairs that transformers reads otherwise than tokenizer.json says: see
reference.py. Called with the directory, a file with the texts that tokenizers are trained on, and one with the pairs.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from sentence_transformers import CrossEncoder
from tokenizers import Tokenizer
from transformers import AutoModelForSequenceClassification

from architectures import Makers, export, spread

root = Path(sys.argv[1])
texts, pairs = (json.loads(Path(file).read_text()) for file in sys.argv[2:])

for name in ("bert", "roberta", "xlm_roberta", "modernbert"):
    with TemporaryDirectory() as scratch:
        torch.manual_seed(1)
        encoder, tokenizer = getattr(Makers(Path(scratch), texts), name)()
        encoder.config.num_labels = 1
        model = spread(AutoModelForSequenceClassification.from_config(encoder.config))
        directory = root / f"rerank-{name.replace('_', '-')}"
        model.save_pretrained(directory)
        tokenizer.save_pretrained(directory)
        export(directory, task="text-classification")
    reranker = CrossEncoder(str(directory), device="cpu", activation_fn=torch.nn.Identity())
    most = min(reranker.tokenizer.model_max_length, 1024)
    reranker.tokenizer.model_max_length = most
    fast = Tokenizer.from_file(str(directory / "tokenizer.json"))
    fast.no_padding()
    fast.enable_truncation(most)
    ours = [encoding.ids for encoding in fast.encode_batch([tuple(pair) for pair in pairs])]
    theirs = reranker.tokenizer(*map(list, zip(*pairs)), truncation=True, max_length=most)["input_ids"]
    scores = reranker.predict([tuple(pair) for pair in pairs], batch_size=16, show_progress_bar=False)
    otherwise = [i for i in range(len(pairs)) if ours[i] != theirs[i]]
    (directory / "scores.json").write_text(
        json.dumps({"scores": [float(score) for score in scores], "otherwise": otherwise, "max_tokens": most})
    )
