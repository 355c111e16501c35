import { describe, it } from 'node:test';
import { assertIsolated, besideOnnx, besideUpstream } from './failing-text.ts';

describe('for a minute, no request fails beside a text that always fails, of 20 clients', () => {
  it('with a model that is computed here', async () => assertIsolated(await besideOnnx(60)));

  it('with an upstream', async () => assertIsolated(await besideUpstream(60)));
});
