import type { Dialect } from './dialect.ts';
import { own } from './own.ts';

/** Errors for Voyage's SDKs: without `detail`, they can't tell a rate limit from other errors, and never retry. */
export const voyage: Dialect = {
  error(error) {
    const { status, body } = own.error(error);
    return { status, body: { ...body, detail: error.message } };
  },
};
