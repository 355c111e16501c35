import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { engineContract } from '../../../packages/engine/test/contract.ts';
import { openUpstreamEngine } from '../../../packages/engine-upstream/src/index.ts';
import { upstreamSettings } from '../../../packages/engine-upstream/test/upstream-settings.ts';
import { listeningApp } from '../../helpers/app.ts';

const embedgate = await listeningApp();
after(() => embedgate[Symbol.asyncDispose]());

const open = () =>
  openUpstreamEngine(
    upstreamSettings([`${embedgate.address}/v1`], {
      key: embedgate.key,
      model: 'all-MiniLM-L6-v2',
    }),
    () => {},
  );

engineContract('an upstream Embedgate', open);

test('an upstream Embedgate states the properties of its model', async () => {
  const engine = await open();
  const { name, dimensions, maxTokens } = engine.model;
  assert.deepEqual([name, dimensions, maxTokens], ['served', 384, 256]);
  await engine.close();
});
