"""Measures sentence-transformers' CrossEncoder: prints pairs per second after one warm-up call.

Called with the model's directory, a file with pairs, and for how many seconds.
"""

import json
import sys
import time
from pathlib import Path

from sentence_transformers import CrossEncoder

directory, file, seconds = sys.argv[1:]
pairs = [tuple(pair) for pair in json.loads(Path(file).read_text())]
model = CrossEncoder(directory, device="cpu")
predict = lambda some: model.predict(some, batch_size=32, show_progress_bar=False)
predict(pairs[:100])
began, done = time.perf_counter(), 0
while time.perf_counter() - began < float(seconds):
    some = pairs[done % len(pairs) :][:100]
    predict(some)
    done += len(some)
print(done / (time.perf_counter() - began))
