/** The kinds of requests, and how they are drawn everywhere. They can be told apart in grey too. */
export const kinds = {
  counted: { name: 'Counted', fill: 'var(--color-counted)', edge: 'var(--color-counted)' },
  cached: { name: 'Cached', fill: 'var(--color-cached)', edge: 'var(--color-counted)' },
  failed: { name: 'Failed', fill: 'url(#hatched)', edge: 'var(--color-failed)' },
} as const;

export type Kind = keyof typeof kinds;

/** From the bottom to the top of a bar. */
export const kindOrder = Object.keys(kinds) as Kind[];

/** The requests of a day or a month. */
export type Period = Readonly<Record<Kind, number>> & {
  readonly name: string;
};
