"""Embeds the text in TEXT with the client that openapi-python-client has generated, and prints the vector."""

import json
import os

from client import AuthenticatedClient
from client.api.embeddings import create_embeddings
from client.models import EmbeddingsRequest, EmbeddingsResponse

embedgate = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["KEY"])
response = create_embeddings.sync(client=embedgate, body=EmbeddingsRequest(input_=os.environ["TEXT"]))
assert isinstance(response, EmbeddingsResponse), response
print(json.dumps(response.data[0].embedding))
