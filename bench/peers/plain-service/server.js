// The service that one writes in an afternoon: one call of the pipeline per request, with all cores for each.
import { basename, dirname } from 'node:path';
import { env, pipeline } from '@huggingface/transformers';
import fastify from 'fastify';

const [model, dtype, port = '0'] = process.argv.slice(2);
env.allowRemoteModels = false;
env.localModelPath = dirname(model);
const embed = await pipeline('feature-extraction', basename(model), { dtype, device: 'cpu' });

const app = fastify();
app.post('/v1/embeddings', async (request) => {
  const texts = [request.body.input].flat();
  const vectors = (await embed(texts, { pooling: 'mean', normalize: true })).tolist();
  return {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: basename(model),
  };
});
console.log(new URL(await app.listen({ port: Number(port), host: '127.0.0.1' })).port);
