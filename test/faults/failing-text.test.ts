import { describe, it } from 'node:test';
import { assertIsolated, besideOnnx, besideUpstream } from './failing-text.ts';

describe('twenty clients for a minute beside a text that always fails', () => {
  it('have no failures with a model that runs here', async () => assertIsolated(await besideOnnx(60)));

  it('have no failures with an upstream', async () => assertIsolated(await besideUpstream(60)));
});
