"""Writes a tiny model of each family with random weights, as transformers saves it, and the vectors that it computes.

Called with this directory, in the Python environment of test/models/writer: python make.py packages/encoder-native/test/families
"""

import json
import shutil
import sys
from pathlib import Path

import torch
import transformers as t

root = Path(sys.argv[1])
SIZE = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 48, "vocab_size": 40}
ROBERTA = {**SIZE, "max_position_embeddings": 26, "type_vocab_size": 1, "pad_token_id": 1, "layer_norm_eps": 1e-5}
MODELS = {
    "albert": (t.AlbertConfig(**{**SIZE, "num_hidden_layers": 2}, embedding_size=16, max_position_embeddings=24), "float16"),
    "bert": (t.BertConfig(**SIZE, max_position_embeddings=24), "float32"),
    "distilbert": (t.DistilBertConfig(dim=32, n_layers=1, n_heads=2, hidden_dim=48, vocab_size=40, max_position_embeddings=24), "bfloat16"),
    "electra": (t.ElectraConfig(**SIZE, embedding_size=16, max_position_embeddings=24), "float16"),
    "mpnet": (t.MPNetConfig(**{**SIZE, "num_hidden_layers": 2}, max_position_embeddings=202), "float16"),
    "roberta": (t.RobertaConfig(**ROBERTA), "float16"),
}  # fmt: skip
# The last one has a padding id inside, which RoBERTa gives the position of its padding.
TEXTS = [[5], list(range(2, 24)), [7, 8, 9, 7, 8, 9, 3], [4, 1, 6, 1, 9]]

for name, (config, dtype) in MODELS.items():
    torch.manual_seed(1)
    model = t.AutoModel.from_config(config).eval()
    for key, weights in model.named_parameters():
        is_norm = "norm" in key.lower() and key.endswith("weight")
        is_table = "embeddings." in key and weights.dim() > 1
        std = 0.3 if is_norm or key.endswith("bias") else 1.0 if is_table or "relative" in key else weights.shape[-1] ** -0.5
        torch.nn.init.normal_(weights, mean=1.0 if is_norm else 0.0, std=std)
    model = model.to(getattr(torch, dtype))
    folder = root / name
    shutil.rmtree(folder, ignore_errors=True)
    # One of them in several files.
    model.save_pretrained(folder, max_shard_size="16KB" if name == "roberta" else "1GB")
    model = model.float()
    texts = [*TEXTS, [i % 37 + 2 for i in range(200)]] if name == "mpnet" else TEXTS
    vectors = {"texts": texts, "mean": [], "cls": []}
    with torch.no_grad():
        for text in texts:
            hidden = model(torch.tensor([text])).last_hidden_state[0]
            for pooling, pooled in (("mean", hidden.mean(0)), ("cls", hidden[0])):
                vectors[pooling].append([round(x, 7) for x in torch.nn.functional.normalize(pooled, dim=0).tolist()])
    (folder / "vectors.json").write_text(json.dumps(vectors) + "\n")
