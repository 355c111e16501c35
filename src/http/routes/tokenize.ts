import { meantInputType } from '../../api/embedding.ts';
import { TokenizeRequest, TokenizeResponse } from '../../api/tokens.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { tokenizeTexts } from '../tokenize-texts.ts';

export function tokenizeRoute(app: App, services: Services): void {
  app.post(
    '/v1/tokenize',
    {
      bodyLimit: services.load.bounds.maxBodyBytes,
      config: { access: 'key' },
      schema: {
        operationId: 'tokenize',
        summary: 'Get the tokens of texts',
        description:
          'Returns all tokens of each text, also those beyond the limit of the model, without counting the request. A model of an upstream has no tokenizer here, so it gets 404.',
        body: TokenizeRequest,
        response: { 200: TokenizeResponse },
      },
    },
    async (request, reply) => {
      const { input, model, input_type: type, add_special_tokens: addSpecialTokens = true } = request.body;
      const { served, json } = await tokenizeTexts(services, request, reply, {
        texts: [input].flat(),
        model,
        inputType: type === undefined ? undefined : meantInputType(type, 'input_type'),
        addSpecialTokens,
        form: 'columns',
      });
      const { name, fingerprint, maxTokens } = served.model;
      const rest = { model: name, fingerprint, max_input_tokens: maxTokens };
      const end = Buffer.from(`],${JSON.stringify(rest).slice(1)}`);
      // As bytes, because the tokens are JSON already.
      return reply
        .type('application/json; charset=utf-8')
        .send(Buffer.concat([Buffer.from('{"object":"list","data":['), ...json, end]) as never);
    },
  );
}
