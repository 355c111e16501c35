import { type ModelOverrides, poolingModes } from '../embeddings/engines/settings.ts';
import { ConfigError } from './config-error.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import type { Fields } from './file-fields.ts';

const tokens = { default: null, min: 1, max: 10_000_000 };

/** What the environment says of its model in place of the model's files. */
export function environmentOverrides(read: EnvironmentReader): ModelOverrides {
  return present({
    pooling: read.choice('EMBEDDING_POOLING', poolingModes, null),
    maxTokens: read.whole('EMBEDDING_MAX_TOKENS', tokens),
    queryPrompt: read.exactText('EMBEDDING_QUERY_PROMPT'),
    documentPrompt: read.exactText('EMBEDDING_DOCUMENT_PROMPT'),
    dtype: dtype(read.text('EMBEDDING_DTYPE'), () => {
      throw new ConfigError(`EMBEDDING_DTYPE: ${notADtype}; for example EMBEDDING_DTYPE=${dtypeExample}`);
    }),
  });
}

/** The same of a model in a file. */
export function fileOverrides(fields: Fields): ModelOverrides {
  return present({
    pooling: fields.choice('pooling', poolingModes),
    maxTokens: fields.whole('max_tokens', tokens),
    queryPrompt: fields.exactText('query_prompt', '"query: "'),
    documentPrompt: fields.exactText('document_prompt', '"passage: "'),
    dtype: dtype(fields.text('dtype', dtypeExample), () => fields.fail('dtype', notADtype, dtypeExample)),
  });
}

/** Throws where a variable speaks of a model that the environment doesn't name: in a file each model speaks for itself. */
export function refuseOverrides(read: EnvironmentReader): void {
  const set = ['POOLING', 'MAX_TOKENS', 'QUERY_PROMPT', 'DOCUMENT_PROMPT', 'DTYPE']
    .map((name) => `EMBEDDING_${name}`)
    .find((name) => read.exactText(name));
  if (set === undefined) return;
  throw new ConfigError(
    `${set}: is of the model that EMBEDDING_MODEL names, and not of those in EMBEDGATE_CONFIG; for example ${set}=`,
  );
}

const dtypeExample = 'q8';
const notADtype = 'is not the ending of a file name';

function dtype(value: string | null, refuse: () => never): string | null {
  // Names that every object has, such as `__proto__`, would be found among the endings of files.
  return value === null || (/^[\w.-]+$/.test(value) && !(value in {})) ? value : refuse();
}

function present(overrides: { [name in keyof ModelOverrides]: ModelOverrides[name] | null }): ModelOverrides {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== null));
}
