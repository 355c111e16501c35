"""Writes a cross-encoder of MiniLM-L6's size with random weights, or measures sentence-transformers' CrossEncoder with it.

`cross_encoder.py write <directory> <vocab.txt>`, or `cross_encoder.py measure <directory> <pairs.json> <seconds>`, which
prints pairs per second after one warm-up call.
"""

import json
import shutil
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
import transformers
from sentence_transformers import CrossEncoder

task, directory, file, *rest = sys.argv[1:]
directory = Path(directory)
if task == "write":
    from optimum.exporters.onnx import main_export

    torch.manual_seed(1)
    tokenizer = transformers.BertTokenizerFast(file, do_lower_case=True, model_max_length=512)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536, num_labels=1
    )
    transformers.BertForSequenceClassification(config).save_pretrained(directory)
    tokenizer.save_pretrained(directory)
    with TemporaryDirectory() as folder:
        main_export(
            str(directory), folder, task="text-classification", library_name="transformers", framework="pt", device="cpu", do_validation=False
        )  # fmt: skip
        (directory / "onnx").mkdir()
        shutil.move(Path(folder, "model.onnx"), directory / "onnx" / "model.onnx")
else:
    pairs = [tuple(pair) for pair in json.loads(Path(file).read_text())]
    model = CrossEncoder(str(directory), device="cpu")
    predict = lambda some: model.predict(some, batch_size=32, show_progress_bar=False)
    predict(pairs[:100])
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < float(rest[0]):
        some = pairs[done % len(pairs) :][:100]
        predict(some)
        done += len(some)
    print(done / (time.perf_counter() - began))
