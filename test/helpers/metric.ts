/** Returns the value of a metric, with its labels as they are written. */
export async function metricOf({ address }: { readonly address: string }, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.split(' ')[1]);
}
