"""Files and batches with OpenAI's SDK, against the service at BASE_URL."""

import json
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import openai

client = openai.OpenAI(base_url=os.environ["BASE_URL"] + "/v1", api_key=os.environ["API_KEY"])
lines = [
    {"custom_id": str(i), "method": "POST", "url": "/v1/embeddings", "body": {"input": text}}
    for i, text in enumerate(["a cat", "a dog"])
]
content = "\n".join(json.dumps(line) for line in lines).encode()

with TemporaryDirectory() as directory:
    path = Path(directory) / "in.jsonl"
    path.write_bytes(content)
    file = client.files.create(file=path, purpose="batch")
assert file.bytes == len(content), file
assert client.files.content(file.id).read() == content

batch = client.batches.create(
    input_file_id=file.id,
    endpoint="/v1/embeddings",
    completion_window="24h",
    output_expires_after={"anchor": "created_at", "seconds": 3600},
)
while batch.status != "completed":
    assert batch.status in ("validating", "in_progress", "finalizing"), batch
    time.sleep(0.05)
    batch = client.batches.retrieve(batch.id)
assert (batch.request_counts.total, batch.request_counts.completed, batch.error_file_id) == (2, 2, None)
assert batch.usage.total_tokens > 0 and batch.model
output = [json.loads(line) for line in client.files.content(batch.output_file_id).text.splitlines()]
direct = client.embeddings.create(input="a cat", model=batch.model, encoding_format="float")
[cat] = [line for line in output if line["custom_id"] == "0"]
assert cat["response"]["body"]["data"][0]["embedding"] == direct.data[0].embedding
assert batch.id in [one.id for one in client.batches.list(limit=1)]
try:
    client.batches.cancel(batch.id)
    raise AssertionError("a completed batch was cancelled")
except openai.APIStatusError as error:
    assert "can’t be cancelled" in str(error), error
assert client.files.delete(file.id).deleted
