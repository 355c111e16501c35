import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FileContents } from '../../../src/files/file-contents.ts';
import { newId } from '../../../src/lib/ids.ts';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, jsonl, line } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { heldOf } from '../../helpers/stored.ts';
import { inTurn } from '../../helpers/turns.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('batches', async () => {
  const app = untilEnd(await listeningApp());
  const client = batchClient(app);

  it('returns for each line what the route returns, and counts each computed line once', async () => {
    const before = (await app.services.ledger.readStanding(app.orgId)).used;
    const bodies = [
      { input: 'a cat' },
      { input: ['a dog', 'a bird'], encoding_format: 'base64' },
      { input: 'int8', output_dtype: 'int8', dimensions: 8 },
    ];
    const batch = await client.create(jsonl(bodies.map((body, i) => line(`line ${i}`, body))));
    assert.equal(batch.status, 'validating');
    assert.deepEqual(batch.quota.requests, 3);
    assert.equal(batch.quota.fits, true);
    const done = await client.ended(batch.id);
    assert.equal(done.status, 'completed', JSON.stringify(done));
    assert.deepEqual(done.request_counts, { total: 3, completed: 3, failed: 0 });
    assert.equal(done.error_file_id, null);
    assert.equal((await app.services.ledger.readStanding(app.orgId)).used, before + 3);
    const rows = await client.content(done.output_file_id);
    assert.deepEqual(rows.map((row) => row.custom_id).sort(), ['line 0', 'line 1', 'line 2']);
    for (const row of rows) {
      const body = bodies[Number(row.custom_id.slice(5))]!;
      const { json } = await client.send('POST', '/embeddings', body);
      assert.equal(row.response.body.cached_texts, 0);
      assert.deepEqual({ ...row.response.body, cached: true, cached_texts: json.data.length }, json);
      assert.equal(row.response.status_code, 200);
      assert.equal(row.error, null);
    }
    const file = await client.send('GET', `/files/${done.output_file_id}`);
    assert.equal(file.json.purpose, 'batch_output');
    const all = await client.send('GET', `/files/${done.output_file_id}/content`);
    assert.equal(all.text.length, file.json.bytes);
    assert.equal(all.headers.get('content-encoding'), 'gzip');
    for (const encoding of ['identity', 'gzip;q=0, br']) {
      const plain = await client.send('GET', `/files/${done.output_file_id}/content`, undefined, {
        'accept-encoding': encoding,
      });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal(plain.headers.get('content-length'), String(file.json.bytes));
    }
    const part = await client.send('GET', `/files/${done.output_file_id}/content`, undefined, {
      range: 'bytes=5-20',
    });
    assert.equal(part.status, 206);
    assert.equal(part.text, all.text.slice(5, 21));
    for (const [range, status] of [
      ['bytes=5-4', 200],
      [`bytes=${file.json.bytes}-`, 416],
    ]) {
      const other = await client.send('GET', `/files/${done.output_file_id}/content`, undefined, { range });
      assert.equal(other.status, status);
    }
  });

  it('runs under /openai/v1, with rerank, and with requests in the body', async () => {
    const azure = batchClient(app, '/openai/v1');
    const requests = [{ custom_id: 'x', body: { input: 'inline' } }, { body: { input: ['in', 'line'] } }];
    const { json } = await azure.send('POST', '/batches', {
      requests,
      endpoint: '/v1/embeddings',
      metadata: { a: 'b' },
    });
    const done = await azure.ended(json.id);
    assert.equal(done.status, 'completed', JSON.stringify(done));
    assert.deepEqual(done.metadata, { a: 'b' });
    const rows = await azure.content(done.output_file_id);
    assert.deepEqual(rows.map((row) => row.custom_id).sort(), ['1', 'x']);
    const ranked = await azure.send('POST', '/batches', {
      requests: [{ body: { query: 'q', documents: ['d'] } }],
      endpoint: '/v1/rerank',
    });
    const failed = await azure.ended(ranked.json.id);
    assert.equal(failed.status, 'failed');
    assert.match(failed.errors.data[0].message, /No model here can rerank/);
  });

  const good = jsonl([line('1', { input: 'ok' })]);
  const bad: readonly [name: string, content: string | Uint8Array, code: string, atLine: number | null][] = [
    ['is a .csv', 'id,text\n1,one\n2,two\n', 'invalid_json_line', 1],
    ['is not JSONL', `${good}\n{"custom_id":\n`, 'invalid_json_line', 3],
    [
      'has another encoding',
      Buffer.concat([Buffer.from(good), Buffer.from([0xff, 0xfe, 0x41, 0])]),
      'invalid_encoding',
      2,
    ],
    ['is binary', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'invalid_encoding', 1],
    ['has a custom_id twice', good + good, 'duplicate_custom_id', 2],
    ['has a line of 5 MB', good + jsonl([line('2', { input: 'x'.repeat(5 << 20) })]), 'line_too_long', 2],
    ['has a line of spaces and 5 MB', `${' '.repeat(5 << 20)}${good}`, 'line_too_long', 1],
    [
      'has more lists than any request',
      jsonl([line('1', { input: Array.from({ length: 30_000 }, () => []) })]),
      'invalid_json_line',
      1,
    ],
    ['has too many texts in a line', jsonl([line('1', { input: Array(9_000).fill('') })]), 'invalid_body', 1],
    ['has no line', '\n \n', 'empty_file', null],
    ['has another method', jsonl([{ ...line('1', { input: 'a' }), method: 'GET' }]), 'invalid_method', 1],
    ['has another URL', jsonl([line('1', { input: 'a' }, '/v1/rerank')]), 'mismatched_url', 1],
    ['has an empty text', good + jsonl([line('2', { input: '' })]), 'invalid_body', 2],
    ['has an unknown model', jsonl([line('1', { input: 'a', model: 'other' })]), 'model_not_found', 1],
    ['has too many dimensions', jsonl([line('1', { input: 'a', dimensions: 100_000 })]), 'invalid_body', 1],
  ];
  for (const [name, content, code, atLine] of bad) {
    it(`a file that ${name} fails with the number of the line, and nothing is counted`, async () => {
      const before = (await app.services.ledger.readStanding(app.orgId)).used;
      const file = await client.upload(content);
      const { json } = await client.send('POST', '/batches', {
        input_file_id: file.json.id,
        endpoint: '/v1/embeddings',
      });
      const done = await client.ended(json.id);
      assert.equal(done.status, 'failed');
      assert.deepEqual(
        [done.errors.data[0].code, done.errors.data[0].line],
        [code, atLine],
        JSON.stringify(done.errors),
      );
      if (name === 'has an empty text') {
        const { message } = (await client.send('POST', '/embeddings', { input: '' })).json;
        assert.deepEqual([done.errors.data[0].message, done.errors.data[0].param], [message, 'body.input']);
      }
      if (name === 'is a .csv') {
        assert.equal(done.errors.data.length, 1);
        assert.match(done.errors.data[0].message, /^This is not JSONL\. /);
      }
      if (name === 'is not JSONL')
        assert.match(done.errors.data[0].message, /not valid JSON.* It begins with \{"custom_id":$/);
      assert.equal(done.output_file_id, null);
      assert.equal((await app.services.ledger.readStanding(app.orgId)).used, before);
    });
  }

  it('a wrong field of a batch, a file or a page gets a 400 that says what would be right', async () => {
    const asked = { input_file_id: 'file-1', endpoint: '/v1/embeddings' };
    for (const [body, message] of [
      [{ ...asked, completion_window: '24 hours' }, /^completion_window must be "1h" to "168h"$/],
      [{ ...asked, endpoint: '/v1/chat' }, /^endpoint must be one of \/v1\/embeddings, \/v1\/rerank$/],
      [{ ...asked, metadata: { a: 1 } }, /^metadata must be .* texts/],
      [{ ...asked, metadata: { ['k'.repeat(65)]: 'v' } }, /^metadata must /],
      [{ ...asked, metadata: { k: 'v'.repeat(513) } }, /^metadata must /],
      [{ ...asked, metadata: { 'a\nb': 'v'.repeat(513) } }, /^metadata must /],
    ] as const)
      assert.match((await client.send('POST', '/batches', body)).json.message, message);
    for (const after of ['', 'batch_unknown', 'file-1'])
      assert.equal((await client.send('GET', `/batches?after=${after}`)).status, 400, after);
    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('file', new Blob([good]), 'a\0.jsonl');
    assert.equal((await client.send('POST', '/files', form)).status, 400);
  });

  describe('the bytes of uploads', () => {
    const { stores, organizations } = app.services;
    const filesOf = (maxStoredBytes: number) =>
      new FileContents({
        files: stores.files,
        pieces: { put: async () => {}, get: async () => undefined, delete: async () => {} },
        bounds: { maxFiles: 10, maxStoredBytes },
        renderResults: (piece) => Promise.resolve(Buffer.from(piece)),
        turnsOf: () => inTurn,
      });
    const source = async function* (mebibytes = 4) {
      const chunk = Buffer.alloc(1 << 20);
      for (let i = 0; i < mebibytes; i += 1) {
        yield chunk;
        await setImmediate();
      }
    };
    const newOrganization = async () => (await organizations.create({ name: 'Bytes', tier: 'free' })).orgId;

    it('are counted from their arrival until their file is deleted, in whatever order that happens', async () => {
      const files = filesOf(6 << 20);
      const orgId = await newOrganization();
      const tooLarge = { code: 'payload_too_large' };
      const written = await Promise.allSettled([1, 2, 3].map(() => files.write(orgId, source())));
      const [first, ...others] = written.filter((one) => one.status === 'fulfilled');
      assert.ok(first && others.length === 0);
      // Its form is still open.
      await assert.rejects(files.write(orgId, source()), tooLarge);
      const created = Promise.withResolvers<void>();
      async function* slowSource() {
        yield* source(1);
        await created.promise;
        yield* source(3);
      }
      const late = assert.rejects(files.write(orgId, slowSource()), tooLarge);
      const file = { orgId, filename: 'f', purpose: 'batch', expiresAfterMs: 60_000 } as const;
      const { fileId } = await files.create(file, first.value);
      created.resolve();
      await late;
      await files.delete(orgId, fileId);
      await files.discard(await files.write(orgId, source()));
      assert.equal((await heldOf(stores, orgId)).storedBytes, 0);
    });

    it('are at most 512 MiB for one file', async () => {
      const files = filesOf(1 << 30);
      const orgId = await newOrganization();
      let mebibytes = 0;
      async function* counted() {
        for await (const mebibyte of source(513)) {
          mebibytes += 1;
          yield mebibyte;
        }
      }
      const tooLarge = { code: 'payload_too_large', message: /512 MiB/ };
      await assert.rejects(files.write(orgId, counted()), tooLarge);
      assert.equal(mebibytes, 513);
    });
  });

  it('a text that is too long has its error in the error file, and the other lines have results', async () => {
    const long = line('long', { input: 'word '.repeat(20_000), truncate: false });
    const done = await client.ended(
      (await client.create(jsonl([line('short', { input: 'short' }), long]))).id,
    );
    assert.equal(done.status, 'completed');
    assert.deepEqual(done.request_counts, { total: 2, completed: 1, failed: 1 });
    const [row] = await client.content(done.error_file_id);
    assert.equal(row?.custom_id, 'long');
    assert.equal(row?.response.status_code, 400);
    assert.match(row?.response.body.error.message, /tokens/);
  });

  it('files are listed in pages, deleted, and kept while a batch reads them', async () => {
    const first = (
      await client.upload(good, {
        purpose: 'batch',
        'expires_after[anchor]': 'created_at',
        'expires_after[seconds]': '3600',
      })
    ).json;
    assert.equal(first.expires_at - first.created_at, 3_600);
    const second = (await client.upload(good)).json;
    const page = (await client.send('GET', '/files?limit=1&purpose=batch')).json;
    assert.deepEqual([page.data[0].id, page.has_more], [second.id, true]);
    const next = (await client.send('GET', `/files?limit=1&purpose=batch&after=${page.last_id}`)).json;
    assert.equal(next.data[0].id, first.id);
    assert.equal((await client.send('DELETE', `/files/${first.id}`)).json.deleted, true);
    assert.equal((await client.send('GET', `/files/${first.id}`)).status, 404);
    assert.equal((await client.send('GET', `/files?after=${first.id}`)).status, 200);
    for (const after of ['', 'batch_1']) {
      const refused = await client.send('GET', `/files?after=${after}`);
      assert.match(refused.text, /after must be the id of a file/);
    }
    assert.equal((await client.upload(good, { purpose: 'fine-tune' })).status, 400);
    assert.equal((await client.send('POST', '/files', {})).status, 400);
  });

  it('an upload that is refused or breaks off leaves nothing behind', async () => {
    const { stores, load } = app.services;
    const left = async () => {
      const { length } = await stores.files.abandoned(Number.MAX_SAFE_INTEGER);
      return length === 0 && load.requests === 0;
    };
    const held = await heldOf(stores, app.orgId);
    assert.equal((await client.upload('x'.repeat(9 << 20), { purpose: 'other' })).status, 400);
    for (const seconds of ['60', '0x1000', '']) {
      const expiry = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': seconds };
      assert.equal((await client.upload('x', { purpose: 'batch', ...expiry })).status, 400);
    }
    const fields = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`f${i}`, '']));
    assert.match((await client.upload('x', { purpose: 'batch', ...fields })).text, /little beside it/);
    const two = new FormData();
    for (const name of ['file', 'file']) two.append(name, new Blob(['x']), 'f');
    assert.match((await client.send('POST', '/files', two)).text, /little beside it/);
    await eventually(left);
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
    const gone = new AbortController();
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(Buffer.from(head + 'x'.repeat(9 << 20)));
      },
    });
    const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'multipart/form-data; boundary=b' };
    const init = { method: 'POST', headers, body, duplex: 'half', signal: gone.signal };
    const sending = fetch(`${app.address}/v1/files`, init as RequestInit);
    await eventually(async () => (await stores.files.abandoned(Number.MAX_SAFE_INTEGER)).length === 2);
    gone.abort();
    await assert.rejects(sending);
    await eventually(left);
    assert.deepEqual(await heldOf(stores, app.orgId), held);
  });

  it('a file that is not in a form is refused with the type to send', async () => {
    for (const [type, status] of [
      ['application/jsonl', 415],
      ['application/json', 400],
    ] as const) {
      const headers = { authorization: `Bearer ${app.key}`, 'content-type': type };
      const response = await fetch(`${app.address}/v1/files`, { method: 'POST', headers, body: '{}' });
      assert.equal(response.status, status);
      assert.match(await response.text(), /Send the file in a form, as multipart\/form-data/);
    }
  });

  it('a browser, which sends everything before it reads a response, learns why its file is refused', async () => {
    const { bounds } = app.services.fileContents;
    Object.assign(app.services.fileContents, { bounds: { ...bounds, maxStoredBytes: 1_000 } });
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
    const body = Buffer.from(`${part}${'x'.repeat(15 << 20)}\r\n--b--\r\n`);
    const head = [
      'POST /v1/files HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${app.key}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${body.length}`,
    ];
    const socket = connect(app.port, '127.0.0.1');
    await promisify<string>(socket.write.bind(socket))(`${head.join('\r\n')}\r\n\r\n`);
    await promisify<Buffer>(socket.write.bind(socket))(body);
    const [response] = await once(socket, 'data');
    assert.match(String(response), /^HTTP\/1\.1 413 /);
    socket.destroy();
    Object.assign(app.services.fileContents, { bounds });
  });

  it('a batch whose file is gone fails, and gives its place back', async () => {
    const { json: file } = await client.upload(good);
    rmSync(join(app.dataDir, 'files'), { recursive: true });
    for (const more of [{}, { range: 'bytes=0-1' }]) {
      const gone = await client.send('GET', `/files/${file.id}/content`, undefined, more);
      assert.deepEqual([gone.status, gone.json.error], [404, 'not_found']);
      assert.deepEqual(
        [gone.headers.get('content-encoding'), gone.headers.get('content-range')],
        [null, null],
      );
    }
    const { json } = await client.send('POST', '/batches', {
      input_file_id: file.id,
      endpoint: '/v1/embeddings',
    });
    const done = await client.ended(json.id);
    assert.deepEqual([done.status, done.errors.data[0].code], ['failed', 'file_not_found']);
  });

  it('a download whose file is deleted beside it is a 404, or ends early with an error', async () => {
    const { stores } = app.services;
    const download = async (id: string, encoding: string) =>
      rawExchange(
        app.port,
        [
          `GET /v1/files/${id}/content HTTP/1.1`,
          'Host: localhost',
          `Authorization: Bearer ${app.key}`,
          `Accept-Encoding: ${encoding}`,
          'Connection: close\r\n\r\n',
        ].join('\r\n'),
      );
    const { pieces } = stores.files;
    for (const encoding of ['identity', 'gzip']) {
      const { json: small } = await client.upload(good);
      stores.files.pieces = async (fileId) => {
        await stores.files.delete(app.orgId, fileId);
        return pieces(fileId);
      };
      const gone = await download(small.id, encoding);
      stores.files.pieces = pieces;
      assert.match(gone, /^HTTP\/1\.1 404 /);
      assert.ok(!/content-encoding/i.test(gone));

      const { json: large } = await client.upload('x'.repeat(9 << 20));
      const { pieceId } = (await pieces(large.id))[1]!;
      rmSync(join(app.dataDir, 'files', pieceId.slice(-2), pieceId));
      // Compression can hold back everything that was read before the error.
      const cut = await download(large.id, encoding).catch(() => '');
      assert.ok(cut === '' || cut.startsWith('HTTP/1.1 200 '), cut.slice(0, 200));
      assert.ok(cut.length < 9 << 20 && !cut.endsWith('0\r\n\r\n'));
    }
  });

  it('another organization sees, uses and deletes nothing', async () => {
    const batch = await client.create(good);
    await client.ended(batch.id);
    const other = await app.services.organizations.create({ name: 'Other', tier: 'free' });
    const { secret } = await app.services.keys.create({ orgId: other.orgId, userId: 'u', name: 'k' });
    const file = batch.input_file_id;
    for (const base of ['/v1', `/v1/organizations/${other.orgId}`]) {
      const stranger = batchClient({ address: app.address, key: secret }, base);
      const asked = [
        stranger.send('GET', `/files/${file}`),
        stranger.send('GET', `/files/${file}/content`),
        stranger.send('GET', `/batches/${batch.id}`),
        stranger.send('POST', `/batches/${batch.id}/cancel`),
        stranger.send('POST', '/batches', { input_file_id: file, endpoint: '/v1/embeddings' }),
      ];
      for (const { status } of await Promise.all(asked)) assert.equal(status, 404);
      assert.deepEqual((await stranger.send('GET', '/batches')).json.data, []);
    }
    const stranger = batchClient({ address: app.address, key: secret });
    assert.equal((await stranger.send('DELETE', `/files/${file}`)).status, 404);
    assert.deepEqual((await stranger.send('GET', '/files')).json.data, []);
  });

  describe('with a session', async () => {
    const { orgId, address, services } = app;
    const { users, members, batches } = services;
    const join = async () => {
      const { user, password } = await users.create({ email: `${newId()}@example.com` });
      await members.add(orgId, user.userId, 'member');
      return { email: user.email, password, userId: user.userId };
    };
    const headersOf = (page: Browser) => ({ cookie: page.cookie, origin: address });
    const clientOf = (page: Browser) =>
      batchClient({ address }, `/v1/organizations/${orgId}`, headersOf(page));
    const { userId, ...account } = await join();
    const page = await new Browser(address).signIn(account);
    const member = clientOf(page);

    it('a member runs a batch, which is counted under them, and the results are a download', async () => {
      const created = await member.create(good);
      const done = await member.ended(created.id);
      assert.equal(done.status, 'completed', JSON.stringify(done));
      assert.equal(done.texts, 1);
      assert.equal((await batches.get(orgId, done.id)).senderId, userId);
      const path = `/files/${done.output_file_id}`;
      const { headers, text } = await member.send('GET', `${path}/content`);
      assert.equal(
        headers.get('content-disposition'),
        `attachment; filename*=UTF-8''${done.id}_output.jsonl`,
      );
      assert.equal(JSON.parse(text).custom_id, '1');
      assert.equal((await member.send('GET', path)).json.filename, `${done.id}_output.jsonl`);
      assert.equal((await member.send('GET', '/batches?limit=1')).json.data[0].id, done.id);
      assert.deepEqual((await client.send('GET', `/batches/${done.id}`)).json, done);
    });

    it('the name of a download can have any character, and adds no header', async () => {
      const form = new FormData();
      form.append('purpose', 'batch');
      form.append('file', new Blob([good]), 'ä "b"; (1)\'.jsonl');
      const { json } = await member.send('POST', '/files', form);
      const { headers } = await member.send('GET', `/files/${json.id}/content`);
      const name = headers.get('content-disposition')?.replace("attachment; filename*=UTF-8''", '') ?? '';
      assert.match(name, /^[\w.%-]+$/);
      assert.equal(decodeURIComponent(name), json.filename);
    });

    it('a batch of someone who left, was disabled or became a viewer ends as one with a revoked key', async () => {
      const { userChanges, members } = services;
      const ways: ((userId: string) => Promise<unknown>)[] = [
        async (userId) => members.remove(await members.get(orgId, userId)),
        async (userId) => members.setRole(await members.get(orgId, userId), 'viewer'),
        (userId) => userChanges.change(userId, { isDisabled: true }),
      ];
      for (const leave of ways) {
        const { userId } = await join();
        const { json: file } = await client.upload(good);
        await leave(userId);
        const { batchId } = await batches.create(
          {
            orgId,
            senderId: userId,
            endpoint: '/v1/embeddings',
            inputFileId: file.id,
            metadata: null,
            outputExpiresAfterMs: 3_600_000,
            completionWindowMs: 3_600_000,
          },
          { remaining: null, resetsAtMs: null },
          services.fileContents.bounds,
        );
        const done = await client.ended(batchId);
        assert.deepEqual([done.status, done.errors?.data[0].code], ['failed', 'invalid_api_key']);
      }
      const administrator = await new Browser(address).signIn(app.administrator);
      const own = clientOf(administrator);
      assert.equal((await own.ended((await own.create(good)).id)).status, 'completed');
    });
  });
});
