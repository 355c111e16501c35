/** Sends texts to `POST /v1/embeddings`. */
export const requestEmbeddings = (
  address: string,
  key: string,
  input: string | readonly string[],
): Promise<Response> => postEmbeddings(address, key, { input });

/** Sends any body to `POST /v1/embeddings`. */
export function postEmbeddings(
  address: string,
  key: string,
  body: object,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${address}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

/** The status of a request that needs a valid key and uses no quota. */
export async function statusWith(address: string, key: string, path = '/v1/usage'): Promise<number> {
  const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Returns the value of a metric, with its labels as they are written. */
export async function metricOf({ address }: { readonly address: string }, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.split(' ')[1]);
}
