"""Runs the cases of ../clients-checks.ts with clients for Python, and prints what a user of each gets."""

import asyncio
import base64
import json
import os
import struct

model = os.environ["MODEL"]


def floats(text):
    """Decodes the bytes of a vector."""
    data = base64.b64decode(text)
    return list(struct.unpack(f"<{len(data) // 4}f", data))


def options(wish):
    return {
        "dimensions": {"dimensions": 64},
        "base64": {"encoding_format": "base64"},
        "strict": {"extra_body": {"truncate": False}},
    }.get(wish, {})


def openai_sync(url, key, texts, wish):
    from openai import OpenAI

    return openai_vectors(OpenAI(base_url=url, api_key=key).embeddings.create(model=model, input=texts, **options(wish)))


def openai_async(url, key, texts, wish):
    from openai import AsyncOpenAI

    async def embed():
        async with AsyncOpenAI(base_url=url, api_key=key) as client:
            return await client.embeddings.create(model=model, input=texts, **options(wish))

    return openai_vectors(asyncio.run(embed()))


def openai_vectors(response):
    vectors = [item.embedding for item in response.data]
    return [floats(vector) if isinstance(vector, str) else vector for vector in vectors]


# The default model of the next five is one of OpenAI's.


def langchain(url, key, texts, wish):
    from langchain_openai import OpenAIEmbeddings

    return OpenAIEmbeddings(base_url=url, api_key=key, **options(wish)).embed_documents(texts)


def llamaindex(url, key, texts, wish):
    from llama_index.embeddings.openai import OpenAIEmbedding

    return OpenAIEmbedding(api_base=url, api_key=key, **options(wish)).get_text_embedding_batch(texts)


def haystack(url, key, texts, wish):
    from haystack import Document
    from haystack.components.embedders import OpenAIDocumentEmbedder
    from haystack.utils import Secret

    embedder = OpenAIDocumentEmbedder(
        api_base_url=url,
        api_key=Secret.from_token(key),
        progress_bar=False,
        raise_on_failure=True,
        **options(wish),
    )
    return [document.embedding for document in embedder.run([Document(content=text) for text in texts])["documents"]]


def chroma(url, key, texts, wish):
    from chromadb.utils.embedding_functions import OpenAIEmbeddingFunction

    # It sends dimensions only for names like this one.
    name = {"model_name": "text-embedding-3-small"} if wish == "dimensions" else {}
    return OpenAIEmbeddingFunction(api_base=url, api_key=key, **name, **options(wish))(texts)


def milvus(url, key, texts, wish):
    from pymilvus.model.dense import OpenAIEmbeddingFunction

    return OpenAIEmbeddingFunction(base_url=url, api_key=key, **options(wish)).encode_documents(texts)


def litellm(url, key, texts, wish):
    import litellm

    litellm.suppress_debug_info = True
    # It refuses dimensions for other names than this one.
    name = f"openai/{'text-embedding-3-small' if wish == 'dimensions' else model}"
    response = litellm.embedding(model=name, api_base=url, api_key=key, input=texts, **options(wish))
    return [item["embedding"] for item in response.data]


def cohere(url, key, texts, wish):
    from cohere import ClientV2

    kind = "base64" if wish == "base64" else "float"
    wishes = {"dimensions": {"output_dimension": 64}, "strict": {"truncate": "NONE"}}.get(wish, {})
    client = ClientV2(base_url=url, api_key=key)
    embeddings = client.embed(
        model=model, input_type="search_document", texts=texts, embedding_types=[kind], **wishes
    ).embeddings
    return [floats(text) for text in embeddings.base64] if kind == "base64" else embeddings.float_


def voyage(url, key, texts, wish):
    from voyageai import Client

    wishes = {"dimensions": {"output_dimension": 64}, "strict": {"truncation": False}}.get(wish, {})
    return Client(base_url=url, api_key=key).embed(texts, model=model, **wishes).embeddings


def ollama(url, key, texts, wish):
    from ollama import Client

    wishes = {"dimensions": {"dimensions": 64}, "strict": {"truncate": False}}.get(wish, {})
    client = Client(host=url, headers={"Authorization": f"Bearer {key}"})
    return client.embed(model=model, input=texts, **wishes).embeddings


def huggingface(url, key, texts, wish):
    from huggingface_hub import InferenceClient

    wishes = {"dimensions": {"dimensions": 64}, "strict": {"truncate": False}, "base64": {"encoding_format": "base64"}}
    return InferenceClient(model=url, token=key).feature_extraction(texts, **wishes.get(wish, {}))


all_wishes = ["base64", "dimensions", "strict"]
size = ["dimensions"]
clients = {
    "openai": (openai_sync, "/v1", all_wishes),
    "openai, asynchronous": (openai_async, "/v1", all_wishes),
    "langchain-openai": (langchain, "/v1", size),
    "llama-index-embeddings-openai": (llamaindex, "/v1", size),
    "haystack-ai": (haystack, "/v1", size),
    "chromadb": (chroma, "/v1", size),
    "pymilvus": (milvus, "/v1", size),
    "litellm": (litellm, "/v1", size),
    "cohere": (cohere, "/cohere", all_wishes),
    "voyageai": (voyage, "/voyage/v1", ["dimensions", "strict"]),
    "ollama": (ollama, "", ["dimensions", "strict"]),
    "huggingface_hub": (huggingface, "", ["dimensions", "strict"]),
}


def run(name, case):
    embed, path, _ = clients[name]
    url = f"{os.environ['BASE_URL']}/@{name.replace(' ', '_').replace('/', '_')}:{case['name']}@{path}"
    try:
        texts = [[text.replace("CLIENT", name) for text in request] for request in case["requests"]]
        answers = [embed(url, case["key"], request, case.get("wish")) for request in texts]
        return {"vectors": [[float(x) for x in vector] for answer in answers for vector in answer]}
    except Exception as error:
        response = getattr(error, "response", None)
        statuses = [getattr(error, "status_code", None), getattr(error, "http_status", None)]
        status = next(filter(None, [*statuses, getattr(response, "status_code", None)]), None)
        return {"error": {"type": type(error).__name__, "status": status, "message": str(error)}}


cases = json.loads(os.environ["CASES"])
results = {
    name: {case["name"]: run(name, case) for case in cases if case.get("wish") in [None, *clients[name][2]]}
    for name in os.environ["CLIENTS"].split(";")
}
print(json.dumps(results))
