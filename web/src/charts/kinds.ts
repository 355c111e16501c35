/** The kinds of requests, and how they are drawn everywhere. */
export const kinds = {
  counted: { name: 'Counted', color: 'var(--color-counted)' },
  cached: { name: 'Cached', color: 'var(--color-cached)' },
  failed: { name: 'Failed', color: 'var(--color-failed)' },
} as const;

export type Kind = keyof typeof kinds;

/** The requests of a day or a month. */
export type Period = Readonly<Record<Kind, number>> & {
  readonly name: string;
};
