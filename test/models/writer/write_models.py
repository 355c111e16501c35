"""Writes each model into a directory, in the layout of a hub: the files of sentence-transformers, and the graph in onnx/.

Called with the directory, a file with the texts that tokenizers are trained on, and the directory of the real weights.
"""

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from architectures import ARCHITECTURES, Makers, export, spread, write

root, corpus, weights = map(Path, sys.argv[1:])


def quantize(model: Path):
    """Adds the graph of the dtype q8 as the hub's models have it: a scale for each column, and weights of 7 bits."""
    quantize_dynamic(
        model / "onnx" / "model.onnx", model / "onnx" / "model_quantized.onnx", weight_type=QuantType.QInt8, per_channel=True, reduce_range=True
    )  # fmt: skip


real = root / "all-MiniLM-L6-v2"
shutil.copytree(weights, real, ignore=shutil.ignore_patterns("README.md", ".gitattributes"))
export(real)
quantize(real)

texts = json.loads(corpus.read_text())
for name, (maker, settings) in ARCHITECTURES.items():
    with TemporaryDirectory() as scratch:
        torch.manual_seed(1)
        model, tokenizer = getattr(Makers(Path(scratch), texts), maker)()
        write(Path(scratch), spread(model), tokenizer, **settings)
        shutil.move(Path(scratch, "model"), root / name)
