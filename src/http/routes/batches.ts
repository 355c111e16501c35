import {
  BatchListQuery,
  BatchListResponse,
  BatchParams,
  BatchRequest,
  BatchResponse,
  batchView,
  completionWindowMs,
  maxMetadata,
} from '../../api/batch.ts';
import { expiryOf, fileExpiresAfterMs, pageOf } from '../../api/file.ts';
import type { Left } from '../../batches/batch.ts';
import { invalidField } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { type Audience, senderOf } from '../audience.ts';

/** Registers the routes for batches. */
export function batchRoutes(app: App, services: Services, { base, describe }: Audience): void {
  const { batches, batchRunner, fileContents } = services;

  app.post(
    `${base}/batches`,
    describe('createBatch', 'createBatch', 'Create a batch', {
      description:
        'The batch runs behind all requests, and survives restarts. Its lines are validated first, all or ' +
        'none. `quota` says whether it fits into what is left of the quota: if not, it waits for the next ' +
        'window until it expires.',
      body: BatchRequest,
      response: { 200: BatchResponse },
    }),
    async (request) => {
      const {
        endpoint,
        metadata = null,
        completion_window: window,
        output_expires_after: expiry,
      } = request.body;
      requireSmall(metadata);
      const sender = senderOf(request);
      const { orgId } = sender;
      const outputExpiresAfterMs = expiryOf(expiry?.anchor, expiry?.seconds);
      const left = await leftFor(orgId, services);
      const inputFileId = await inputOf(request.body, orgId, services);
      const batch = {
        ...sender,
        endpoint: endpoint as '/v1/embeddings',
        inputFileId,
        metadata,
        outputExpiresAfterMs,
        completionWindowMs: completionWindowMs(window),
      };
      try {
        const created = await batches.create(batch, left, fileContents.bounds);
        batchRunner.kick();
        return batchView(created);
      } catch (reason) {
        if (request.body.requests) await fileContents.delete(orgId, inputFileId).catch(() => {});
        throw reason;
      }
    },
  );

  app.get(
    `${base}/batches`,
    describe('read', 'listBatches', 'List batches', {
      description: 'The newest come first.',
      querystring: BatchListQuery,
      response: { 200: BatchListResponse },
    }),
    async (request) => {
      const { limit = 20, after } = request.query;
      const found = await batches.list(senderOf(request).orgId, { after, limit: limit + 1 });
      return pageOf(found.map(batchView), limit);
    },
  );

  app.get(
    `${base}/batches/:batch_id`,
    describe('read', 'getBatch', 'Get a batch', {
      params: BatchParams,
      response: { 200: BatchResponse },
    }),
    async (request) => batchView(await batches.get(senderOf(request).orgId, request.params.batch_id)),
  );

  app.post(
    `${base}/batches/:batch_id/cancel`,
    describe('change', 'cancelBatch', 'Cancel a batch', {
      description: 'The batch is `cancelling` until what it computes is done. Its results so far stay.',
      params: BatchParams,
      response: { 200: BatchResponse },
    }),
    async (request) => {
      const batch = await batches.cancel(senderOf(request).orgId, request.params.batch_id);
      batchRunner.stop(batch.batchId);
      return batchView(batch);
    },
  );
}

/** Throws `invalid_request`. The schema does not bound the keys, nor values under keys with a line break. */
function requireSmall(metadata: BatchRequest['metadata']): void {
  const isSmall = (text: unknown, most: number) => typeof text === 'string' && text.length <= most;
  const { key: keyChars, value: valueChars } = maxMetadata;
  const pairs = Object.entries(metadata ?? {});
  if (pairs.every(([key, value]) => isSmall(key, keyChars) && isSmall(value, valueChars))) return;
  const rule = `metadata must have keys of up to ${keyChars} characters, and texts of up to ${valueChars}`;
  throw invalidField('metadata', rule);
}

/** Returns the file with the requests. Stores one for those in the body. */
async function inputOf(
  { input_file_id: id, requests, model, endpoint }: BatchRequest,
  orgId: string,
  { fileContents }: Services,
) {
  if (id !== undefined && requests)
    throw invalidField('requests', 'requests must not be sent beside input_file_id');
  if (id !== undefined) return id;
  if (!requests)
    throw invalidField('input_file_id', 'input_file_id is missing: send the identifier of a file');
  const lines = requests.map(({ custom_id = undefined, body }, i) =>
    JSON.stringify({
      custom_id: custom_id ?? String(i),
      method: 'POST',
      url: endpoint,
      body: { ...(model !== undefined && { model }), ...body },
    }),
  );
  async function* source() {
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
  const written = await fileContents.write(orgId, source());
  const file = {
    orgId,
    filename: 'requests.jsonl',
    purpose: 'batch' as const,
    expiresAfterMs: fileExpiresAfterMs,
  };
  return (await fileContents.create(file, written)).fileId;
}

/** Returns what is left of the quota, if it is counted in requests. */
async function leftFor(orgId: string, { ledger }: Services): Promise<Left> {
  const { limit, used, unit, resetsAtMs } = await ledger.standing(orgId);
  if (limit === null || unit !== 'requests')
    return { remaining: null, resetsAtMs: limit === null ? null : resetsAtMs };
  return { remaining: Math.max(0, limit - used), resetsAtMs };
}
