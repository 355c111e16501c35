import { type Fields, type Kind, valid } from '../../packages/small/src/settings.ts';
import { noPrices, type Price, type Prices } from '../quota/price.ts';

const currency = valid((text) => /^[A-Z]{3}$/.test(text), 'is not the code of a currency', 'EUR');
const example = '[{model: all-MiniLM-L6-v2, per_million_tokens: 0.02}]';

/** A number of at most six decimals, as millionths. */
const millionths: Kind<number> = {
  type: 'number',
  unset: 0,
  default: 0,
  example: '0.02',
  parse(written, refuse) {
    if (/^\d{1,6}(\.\d{1,6})?$/.test(written)) return Math.round(Number(written) * 1_000_000);
    return refuse('is not a number below 1,000,000 with at most six decimals', written);
  },
};

/** Returns the prices of the settings file. Throws a ConfigError at the first invalid value. */
export function readPrices(file: Fields | null, models: readonly { readonly name: string }[]): Prices {
  if (!file?.has('prices')) return noPrices;
  const entries = file.entries('prices', example, 'model: all-MiniLM-L6-v2').map((fields) => {
    const name = fields.text('model', 'all-MiniLM-L6-v2') ?? '';
    const { perMillionTokens, perThousandRequests } = fields.all({
      perMillionTokens: millionths,
      perThousandRequests: millionths,
    });
    if (!models.some((model) => model.name === name))
      fields.fail('model', 'is not the name of a model', models[0]!.name);
    fields.end();
    return [name, { perMillionTokens, perThousandRequests }] as const;
  });
  const byModel = new Map<string, Price>(entries);
  if (byModel.size < entries.length) file.fail('prices', 'names a model twice', example);
  return { currency: file.read('currency', currency) ?? file.fail('currency', 'is missing', 'EUR'), byModel };
}
