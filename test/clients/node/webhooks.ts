import assert from 'node:assert/strict';
import OpenAI from 'openai';

// Verifies a webhook with OpenAI's SDK. HOOK_BODY and HOOK_HEADERS are what the service has sent.

const { HOOK_SECRET, HOOK_BODY, HOOK_HEADERS } = process.env;
const client = new OpenAI({ apiKey: 'unused', webhookSecret: HOOK_SECRET! });
const event = await client.webhooks.unwrap(HOOK_BODY!, JSON.parse(HOOK_HEADERS!));
assert.equal(event.type, 'batch.completed');
assert.equal(event.object, 'event');
assert.match(event.data.id, /^batch_/);
await assert.rejects(async () => client.webhooks.unwrap(`${HOOK_BODY} `, JSON.parse(HOOK_HEADERS!)));
