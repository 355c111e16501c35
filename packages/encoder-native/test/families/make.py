"""Writes a tiny model of each family with random weights, as transformers saves it, and the vectors that it computes.

Where transformers scores pairs with a family, the model has what that needs too, and the scores are beside the vectors.

Called with this directory and the names of some, or of none for all that this version of transformers knows. The first
six were written in the Python environment of test/models/writer, the others in that of test/models/reference:
python make.py packages/encoder-native/test/families
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
# Heads of 32 numbers, windows that the longer texts notice, and layers of both kinds.
HEADS = {**SIZE, "num_hidden_layers": 2, "head_dim": 32, "max_position_embeddings": 24, "pad_token_id": 0}
WIDE = {**SIZE, "hidden_size": 64, "num_hidden_layers": 2, "max_position_embeddings": 24, "pad_token_id": 0}
if hasattr(t, "NomicBertConfig"):
    kinds = ["sliding_attention", "full_attention"]
    bases = {"sliding_attention": {"rope_type": "default", "rope_theta": 100.0}, "full_attention": {"rope_type": "default", "rope_theta": 1000.0}}
    gemma = t.Gemma3TextConfig(
        **HEADS, num_key_value_heads=1, query_pre_attn_scalar=32, sliding_window=8, layer_types=kinds, use_bidirectional_attention=True,
        rope_parameters=bases,
    )  # fmt: skip
    causal = t.Gemma3TextConfig(**HEADS, num_key_value_heads=2, query_pre_attn_scalar=32, sliding_window=5, layer_types=kinds)
    modernbert = t.ModernBertConfig(
        **{**WIDE, "num_hidden_layers": 3}, classifier_pooling="mean", local_attention=8, cls_token_id=2, sep_token_id=3, bos_token_id=2, eos_token_id=3, rope_parameters=bases
    )  # fmt: skip
    MODELS |= {
        "gemma3": (gemma, "bfloat16"),
        "gemma3-causal": (causal, "bfloat16"),
        "modernbert": (modernbert, "bfloat16"),
        "nomic-bert": (t.NomicBertConfig(**WIDE), "float16"),
        "qwen3": (t.Qwen3Config(**{**HEADS, "num_attention_heads": 4}, num_key_value_heads=2), "bfloat16"),
    }
# The last one has a padding id inside, which RoBERTa gives the position of its padding.
TEXTS = [[5], list(range(2, 24)), [7, 8, 9, 7, 8, 9, 3], [4, 1, 6, 1, 9]]

for name, (config, dtype) in MODELS.items():
    if len(sys.argv) > 2 and name not in sys.argv[2:]:
        continue
    torch.manual_seed(1)
    scores = type(config) in t.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING
    config.num_labels = 1
    kind = t.AutoModelForSequenceClassification if scores else t.AutoModel
    model = kind.from_config(config, attn_implementation="eager").eval()
    for key, weights in model.named_parameters():
        is_norm = "norm" in key.lower() and key.endswith("weight")
        is_table = ("embeddings." in key or "embed_tokens" in key) and weights.dim() > 1
        std = 0.3 if is_norm or key.endswith("bias") else 1.0 if is_table or "relative" in key else weights.shape[-1] ** -0.5
        torch.nn.init.normal_(weights, mean=1.0 if is_norm else 0.0, std=std)
    model = model.to(getattr(torch, dtype))
    folder = root / name
    shutil.rmtree(folder, ignore_errors=True)
    # One of them in several files.
    model.save_pretrained(folder, max_shard_size="16KB" if name == "roberta" else "1GB")
    # Read again, because `to` has rounded the angles of positions and Gemma's factor too.
    model = kind.from_pretrained(folder, attn_implementation="eager", torch_dtype=torch.float32).eval()
    texts = [*TEXTS, [i % 37 + 2 for i in range(200)]] if name == "mpnet" else TEXTS
    # The second half of a text is the second text of a pair.
    types = [[int(i >= len(text) / 2) for i in range(len(text))] for text in texts]
    vectors = {"texts": texts, "mean": [], "cls": []}
    with torch.no_grad():
        for text in texts:
            hidden = model.base_model(torch.tensor([text])).last_hidden_state[0]
            for pooling, pooled in (("mean", hidden.mean(0)), ("cls", hidden[0])):
                vectors[pooling].append([round(x, 7) for x in torch.nn.functional.normalize(pooled, dim=0).tolist()])
        if scores:
            kinds = [{"token_type_ids": torch.tensor([ids])} if getattr(config, "type_vocab_size", 1) > 1 else {} for ids in types]
            of_pairs = [model(torch.tensor([text]), **kind).logits.item() for text, kind in zip(texts, kinds)]
            vectors |= {"types": types, "scores": [round(score, 6) for score in of_pairs]}
    (folder / "vectors.json").write_text(json.dumps(vectors) + "\n")
