import type { Dialect } from './dialect.ts';

/** The dialect of `/v1`: docs/errors.md. */
export const own: Dialect = {
  error: ({ status, code, message }) => ({ status, body: { error: code, message } }),
};
