"""Writes a cross-encoder of MiniLM-L6's size with random weights. Called with its directory and a vocab.txt."""

import sys
from pathlib import Path

import torch
import transformers as t

from architectures import export

directory, vocabulary = map(Path, sys.argv[1:])
torch.manual_seed(1)
tokenizer = t.BertTokenizerFast(str(vocabulary), do_lower_case=True, model_max_length=512)
config = t.BertConfig(
    vocab_size=len(tokenizer), hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536, num_labels=1
)  # fmt: skip
t.BertForSequenceClassification(config).save_pretrained(directory)
tokenizer.save_pretrained(directory)
export(directory, task="text-classification")
