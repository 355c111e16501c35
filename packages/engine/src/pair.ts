/**
 * Pairs of a query and a document. A pair is written as one text, so that it takes the same way as every other text.
 */

/** Maximum number of UTF-16 units of a query. Each of its pairs has a copy of it. */
export const maxQueryUnits = 8_192;
/** An upper bound of the units that a pair has in front of its document. */
export const maxUnitsBefore = maxQueryUnits + 8;

/** Different pairs give different texts, because the length of the query stands in front. */
export const joinPair = (query: string, document: string): string => `${query.length}:${query}${document}`;

/** Returns the query and the document of a text that `joinPair` returned. */
export function splitPair(pair: string): [query: string, document: string] {
  const start = pair.indexOf(':') + 1;
  const end = start + Number.parseInt(pair, 10);
  return [pair.slice(start, end), pair.slice(end)];
}

/**
 * Returns how many tokens of a query and a document are read if both have room for `most`. The longer one is cut first,
 * and keeps one token more if both are cut. `isQueryLonger` says which one is, because the lengths can be those of the
 * first `most` tokens.
 */
export function cutLongest(
  [query, document]: readonly [query: number, document: number],
  most: number,
  isQueryLonger: boolean,
): [query: number, document: number] {
  if (query + document <= most) return [query, document];
  const shorter = Math.min(query, document, Math.floor(most / 2));
  return isQueryLonger ? [most - shorter, shorter] : [shorter, most - shorter];
}
