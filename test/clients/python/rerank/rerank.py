"""Reranks documents with the clients of several services. Writes to stdout, for each client, (index, score) of each result.

Reads BASE_URL, KEY, MODEL, QUERY and DOCUMENTS, a list as JSON, from the environment.
"""

import json
import os

import cohere
import requests
from langchain_cohere import CohereRerank
from langchain_community.document_compressors import JinaRerank as LangchainJinaRerank
from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.postprocessor.cohere_rerank import CohereRerank as LlamaCohereRerank
from llama_index.postprocessor.jinaai_rerank import JinaRerank
from llama_index.postprocessor.tei_rerank import TextEmbeddingInference

base, key, model, query = (os.environ[name] for name in ("BASE_URL", "KEY", "MODEL", "QUERY"))
documents = json.loads(os.environ["DOCUMENTS"])
best = len(documents) - 1


def of_cohere(client):
    response = client.rerank(model=model, query=query, documents=documents, top_n=best)
    return [(result.index, result.relevance_score) for result in response.results]


def of_llama(reranker):
    nodes = [NodeWithScore(node=TextNode(text=text)) for text in documents]
    ranked = reranker.postprocess_nodes(nodes, query_bundle=QueryBundle(query))
    return [(documents.index(node.get_content()), node.score) for node in ranked]


def of_langchain(compressor):
    ranked = compressor.compress_documents([Document(page_content=text) for text in documents], query)
    return [
        (documents.index(document.page_content), document.metadata["relevance_score"])
        for document in ranked
    ]


def of_jina():
    # Its API over HTTP, as its documentation has it.
    body = {"model": model, "query": query, "documents": documents, "top_n": best, "return_documents": True}
    headers = {"Authorization": f"Bearer {key}"}
    results = requests.post(f"{base}/v1/rerank", json=body, headers=headers, timeout=60).json()["results"]
    assert all(result["document"]["text"] == documents[result["index"]] for result in results)
    return [(result["index"], result["relevance_score"]) for result in results]


def langchain_jina():
    # The address is a constant in the package.
    reranker = LangchainJinaRerank(jina_api_key=key, model=model, top_n=best)
    LangchainJinaRerank.compress_documents.__globals__["JINA_API_URL"] = f"{base}/v1/rerank"
    return of_langchain(reranker)


cohere_client = cohere.ClientV2(api_key=key, base_url=base)
print(
    json.dumps(
        {
            "cohere": of_cohere(cohere_client),
            "cohere, below /cohere": of_cohere(cohere.ClientV2(api_key=key, base_url=f"{base}/cohere")),
            "Jina over HTTP": of_jina(),
            "langchain-cohere": of_langchain(CohereRerank(client=cohere_client, model=model, top_n=best)),
            "langchain-community, JinaRerank": langchain_jina(),
            "llama-index, CohereRerank": of_llama(
                LlamaCohereRerank(api_key=key, model=model, top_n=best, base_url=base)
            ),
            "llama-index, JinaRerank": of_llama(
                JinaRerank(api_key=key, model=model, top_n=best, base_url=f"{base}/v1")
            ),
            "llama-index, TextEmbeddingInference": of_llama(
                TextEmbeddingInference(top_n=best, base_url=base, auth_token=f"Bearer {key}")
            ),
        }
    )
)
