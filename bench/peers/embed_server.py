"""Serves a library over HTTP in OpenAI's format, one call of the library per request.

Called with `fastembed`, `openvino` or `sentence-transformers`, the model's directory, the graph, a port, how many calls run at a time,
and the threads of each. The graph is a file, or `torch` or `openvino` for sentence-transformers. For `openvino`, it is a file with a list
of texts in JSON, from which NNCF takes the scales of a graph that is quantized after training.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import ORJSONResponse

library, directory, graph, port, at_a_time, threads = sys.argv[1:]
at_a_time, threads = int(at_a_time), int(threads)


def fastembed():
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    TextEmbedding.add_custom_model(
        model="measured", pooling=PoolingType.MEAN, normalization=True, sources=ModelSource(hf="measured/measured"), dim=384,
        model_file=graph,
    )  # fmt: skip
    model = TextEmbedding("measured", specific_model_path=directory, threads=threads)
    return lambda texts: list(model.embed(texts))


def sentence_transformers():
    import torch
    from onnxruntime import SessionOptions
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    options = SessionOptions()
    options.intra_op_num_threads = threads
    backend, settings = {
        "torch": ("torch", {}),
        "openvino": ("openvino", {"load_in_8bit": True, "ov_config": {"INFERENCE_NUM_THREADS": threads}}),
    }.get(graph, ("onnx", {"file_name": Path(graph).name, "session_options": options}))
    model = SentenceTransformer(directory, device="cpu", backend=backend, model_kwargs=settings)
    return lambda texts: model.encode(texts, show_progress_bar=False)


def openvino():
    import json
    from threading import local

    import nncf
    import numpy as np
    import openvino as ov
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(f"{directory}/tokenizer.json")
    tokenizer.enable_truncation(512)
    tokenizer.enable_padding()
    names = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}

    def inputs_of(texts):
        encodings = tokenizer.encode_batch(texts)
        return {name: np.array([getattr(each, of) for each in encodings], np.int64) for name, of in names.items()}

    texts = json.loads(Path(directory, graph).read_text())
    core = ov.Core()
    float32 = core.read_model(f"{directory}/onnx/model.onnx")
    samples = nncf.Dataset(texts, lambda text: inputs_of([text]))
    quantized = nncf.quantize(float32, samples, subset_size=len(texts), model_type=nncf.ModelType.TRANSFORMER)
    streams = {"NUM_STREAMS": at_a_time, "INFERENCE_NUM_THREADS": at_a_time * threads}
    compiled = core.compile_model(quantized, "CPU", streams)
    own = local()

    def embed(texts):
        own.request = getattr(own, "request", None) or compiled.create_infer_request()
        inputs = inputs_of(texts)
        tokens = own.request.infer(inputs)[0]
        mask = inputs["attention_mask"][..., None].astype(np.float32)
        vectors = (tokens * mask).sum(1) / mask.sum(1)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    return embed


embed = {"fastembed": fastembed, "openvino": openvino, "sentence-transformers": sentence_transformers}[library]()
pool = ThreadPoolExecutor(at_a_time)
app = FastAPI()


@app.post("/v1/embeddings")
async def embeddings(request: Request):
    body = await request.json()
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    vectors = await asyncio.get_running_loop().run_in_executor(pool, embed, texts)
    data = [{"object": "embedding", "index": i, "embedding": vector.tolist()} for i, vector in enumerate(vectors)]
    return ORJSONResponse({"object": "list", "data": data, "model": Path(directory).name})


uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error", access_log=False)
