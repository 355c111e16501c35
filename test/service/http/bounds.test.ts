import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeLoopTurn } from '../../../src/load/event-loop.ts';
import { listeningApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { postEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('a request waits for what its route states', async () => {
  const bounds = { maxRequestsAtWork: 2, maxBodyBytes: 16 << 10, maxFormBytes: 16 << 10 };
  const app = untilEnd(await listeningApp({ bounds }));
  const { load } = app.services;
  const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(app.address + path, { method: 'POST', headers, body: JSON.stringify(body) });

  it('of the requests of a key, those with texts for the model take no place at work, and a batch does', async () => {
    const places = [1, 2].map(() => load.takeWork(`organization ${app.orgId}`));
    assert.equal((await postEmbeddings(app.address, app.key, { input: 'a' })).status, 200);
    assert.equal((await post('/v1/tokenize', { input: 'a' })).status, 200);
    assert.equal(load.reached.get('MAX_REQUESTS_AT_WORK'), 0);
    const batch = post('/v1/batches', { input_file_id: 'file-x', endpoint: '/v1/embeddings' });
    await eventually(async () => load.reached.get('MAX_REQUESTS_AT_WORK') === 1);
    for (const place of places) place.end();
    assert.equal((await batch).status, 404);
  });

  it('a response as long as its organization’s data waits for the event loop, and others don’t', async () => {
    const turn = takeLoopTurn({ id: 'large bodies', weight: 1 });
    const responses: string[] = [];
    const asked = [`/v1/organizations/${app.orgId}`, '/v1/models'].map(async (path) => {
      await (await fetch(app.address + path, { headers })).arrayBuffer();
      responses.push(path);
    });
    await eventually(async () => responses.length === 1);
    turn.end();
    await Promise.all(asked);
    assert.equal(responses[0], '/v1/models');
  });

  it('a body that is too large is counted under the bound of its route, also if two bounds are equal', async () => {
    const response = await post('/v1/auth/sign-in', { email: 'a'.repeat(17_000) });
    assert.equal(response.status, 413);
    assert.deepEqual([load.reached.get('MAX_FORM_KB'), load.reached.get('MAX_BODY_KB')], [1, 0]);
  });
});
