import assert from 'node:assert/strict';
import { type ListeningApp, listeningApp } from '../../../helpers/app.ts';
import { stoppedClock } from '../../../helpers/clock.ts';

/** A service whose default model has aliases, and requests in the dialects of other APIs. */
export async function dialectApp() {
  const aliases = 'openai,ask?input_type=query&dimensions=64';
  const app: ListeningApp = await listeningApp({
    clock: stoppedClock(),
    environment: { EMBEDDING_MODEL_ALIASES: aliases },
  });
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(app.address + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    app,
    send,
    /** Sends a request, expects the status, and returns the body. */
    async ask<T>(status: number, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
      const response = await send(path, body, headers);
      const text = await response.text();
      assert.equal(response.status, status, text);
      return JSON.parse(text);
    },
    used: async () => (await app.services.ledger.readStanding(app.orgId)).used,
    /** Uses up the quota, and returns a function that ends that. */
    async useUp(window: 'month' | 'minute'): Promise<() => Promise<unknown>> {
      const { organizations } = app.services;
      await organizations.setTier(app.orgId, 'enterprise', { amount: 0, window });
      return () => organizations.setTier(app.orgId, 'enterprise', null);
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

export const model = 'all-MiniLM-L6-v2';
