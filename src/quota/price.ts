import { noUnits, type Units } from './limit.ts';

/** What a model costs, in millionths of the currency. */
export interface Price {
  readonly perMillionTokens: number;
  readonly perThousandRequests: number;
}

/** The prices of an installation, by the names of its models. A model without one costs nothing. */
export interface Prices {
  /** The code of ISO 4217, which is only shown. Null: the settings file states no prices. */
  readonly currency: string | null;
  readonly byModel: ReadonlyMap<string, Price>;
}

export const noPrices: Prices = { currency: null, byModel: new Map() };

/** Returns the units with what they cost: whole millionths, rounded up. */
export function priced(
  price: Price | undefined,
  { requests, texts, tokens }: Pick<Units, 'requests' | 'texts' | 'tokens'>,
): Units {
  const cost = price
    ? Math.ceil((tokens * price.perMillionTokens + requests * 1_000 * price.perThousandRequests) / 1_000_000)
    : 0;
  return { ...noUnits, requests, texts, tokens, cost };
}
