import { type Static, Type } from 'typebox';
import { fieldsOf } from '../../../../packages/small/src/json.ts';
import { meantTruncation } from '../../../api/embedding.ts';
import { InputText, TextOrTexts } from '../../../api/tokens.ts';
import type { ServedModel } from '../../../embeddings/served-model.ts';
import { mayUse, requireModel } from '../../../keys/rights.ts';
import { isoTime } from '../../../lib/clock.ts';
import type { Services } from '../../../service/services.ts';
import type { App } from '../../app-types.ts';
import { offerFor, offerOf } from '../../embed-texts.ts';
import { callerOf } from '../../plugins/authenticate.ts';
import { jsonBody } from '../../plugins/json-body.ts';
import type { Dialect } from '../dialect.ts';
import { embedRoute } from '../embed-route.ts';

const Options = Type.Object({
  model: Type.String(),
  truncate: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
  dimensions: Type.Optional(Type.Integer({ minimum: 1 })),
});
const EmbedRequest = Type.Object({ ...Options.properties, input: TextOrTexts });
const PromptRequest = Type.Object({ ...Options.properties, prompt: InputText });
const ShowRequest = Type.Object({ model: Type.Optional(Type.String()), name: Type.Optional(Type.String()) });

/** Ollama's clients add the tag to a name that has none. */
const untagged = (name: string): string => name.replace(/:latest$/, '');

/** Ollama's API for embeddings, below `/api`. */
export const ollama: Dialect = {
  owns: (path) => path.startsWith('/api/'),
  error({ status, message, fault }) {
    if (fault === 'unknown model')
      return {
        status: 404,
        body: { error: message.replace(/^model "(.*?)" is not served here\./, "model '$1' not found.") },
      };
    if (fault === 'text too long')
      return { status, body: { error: `the input length exceeds the context length: ${message}` } };
    return { status, body: { error: message } };
  },
  routes(app, services) {
    // Ollama's own examples leave the type to curl, which states that of a form.
    jsonBody(app, '*');
    const wanted = ({ model, truncate, dimensions }: Static<typeof Options>) => {
      // A name that is not served is refused later, after the check of the key.
      const most = services.models.get(untagged(model))?.served.model.dimensions;
      // A size beyond the model's means all of its dimensions.
      return {
        model: untagged(model),
        truncate: meantTruncation(truncate),
        dimensions: dimensions && Math.min(dimensions, most ?? dimensions),
      };
    };
    embedRoute(app, services, {
      urls: ['/api/embed'],
      body: EmbedRequest,
      async preValidation(request, reply) {
        // Clients send no input to load a model, which is always loaded here.
        const { model, input } = fieldsOf(request.body);
        const isEmpty = input == null || input === '' || (Array.isArray(input) && input.length === 0);
        if (!isEmpty || typeof model !== 'string') return undefined;
        offerFor(services, callerOf(request), { model: untagged(model) });
        return reply.send({ model, embeddings: [] });
      },
      wanted: (body) => ({ ...wanted(body), texts: [body.input].flat() }),
      view: ({ promptTokens }, vectors, { body: { model }, request }) => ({
        model,
        embeddings: vectors,
        total_duration: Math.round(request.hold.ageMs * 1e6),
        load_duration: 0,
        prompt_eval_count: promptTokens,
      }),
    });
    embedRoute(app, services, {
      urls: ['/api/embeddings'],
      body: PromptRequest,
      wanted: (body) => ({ ...wanted(body), texts: [body.prompt] }),
      view: (_embedded, [vector]) => ({ embedding: vector }),
    });
    modelRoutes(app, services);
  },
  publicRoutes(app, { version }) {
    app.get('/api/version', { schema: { hide: true } }, async () => ({ version }));
  },
};

function modelRoutes(app: App, { models, startedAtMs }: Services): void {
  const options = { config: { access: 'identified' as const }, schema: { hide: true } };
  app.get('/api/tags', options, async (request) => ({
    models: models
      .for('embed')
      .filter(({ alias: { name } }) => mayUse(callerOf(request), name))
      .map(({ served, alias: { name } }) => ({
        name,
        model: name,
        modified_at: isoTime(startedAtMs),
        size: 0,
        digest: served.model.fingerprint,
        details: detailsOf(served),
      })),
  }));
  app.post('/api/show', { ...options, schema: { ...options.schema, body: ShowRequest } }, async (request) => {
    const name = untagged(request.body.model ?? request.body.name ?? '');
    requireModel(callerOf(request), name);
    const { served } = offerOf(name, models);
    const { dimensions, maxTokens } = served.model;
    return {
      details: detailsOf(served),
      model_info: {
        'general.architecture': 'bert',
        'bert.embedding_length': dimensions,
        'bert.context_length': maxTokens,
      },
      capabilities: ['embedding'],
      modified_at: isoTime(startedAtMs),
    };
  });
}

const detailsOf = ({ model: { dtype } }: ServedModel) => ({
  format: 'onnx',
  family: 'bert',
  families: ['bert'],
  parameter_size: '',
  quantization_level: dtype ?? '',
});
