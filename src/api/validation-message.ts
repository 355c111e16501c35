import { fieldsOf } from '../../packages/small/src/json.ts';
import { excerpt } from '../lib/harmless.ts';
import { batchExpectations } from './batch.ts';
import { pageExpectations } from './common.ts';
import { embeddingsExpectations, inputFault } from './embedding.ts';
import { rerankExpectations } from './rerank.ts';

/** A validator's report about a value that does not match its schema. */
interface SchemaFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

type Fault = { message: string; param: string };

/** Returns a message for a request that does not match its schema. It names the field and says what to send. */
export function validationMessage(errors: readonly SchemaFault[], body: unknown, context = 'body'): Fault {
  if (context === 'querystring') return fieldFault(errors, pageExpectations);
  if (context !== 'body') return fieldFault(errors);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { message: 'The body must be a JSON object', param: 'body' };
  }
  const isRerank = 'query' in body || errors[0]?.params.missingProperty === 'query';
  const fault = fieldFault(errors, {
    ...embeddingsExpectations,
    ...batchExpectations,
    ...(isRerank && rerankExpectations),
  });
  if (fault.param !== 'input') return emptyFault(fault.param, fieldsOf(body)[fault.param]) ?? fault;
  return { message: inputFault('input' in body ? body.input : undefined), param: 'input' };
}

const fieldsOfTexts = ['inputs', 'texts', 'prompt'];

/** Returns a message that names the empty text, which the schema's message doesn't. */
function emptyFault(param: string, value: unknown): Fault | undefined {
  if (!fieldsOfTexts.includes(param)) return undefined;
  if (!Array.isArray(value))
    return value === '' ? { message: `${param} must not be empty`, param } : undefined;
  const at = value.indexOf('');
  return at < 0 ? undefined : { message: `${param}[${at}] must not be empty`, param };
}

export function unknownField(name: string): Fault {
  const param = excerpt(name);
  return { message: `${param} is not known here`, param };
}

function fieldFault(
  [first]: readonly SchemaFault[],
  expectations: Readonly<Record<string, string>> = embeddingsExpectations,
): Fault {
  const unknown = first?.params.additionalProperty;
  if (unknown !== undefined) return unknownField(String(unknown));
  const missing = first?.params.missingProperty;
  const field = first?.instancePath.split('/')[1] ?? String(missing ?? 'body');
  const expected = expectations[field];
  if (missing !== undefined && !expected) return { message: `${field} is missing`, param: field };
  if (expected) return { message: `${field} must be ${expected}`, param: field };
  return { message: `${field} ${first ? wordsOf(first) : 'is not valid'}`, param: field };
}

/** Returns what a field must be, where the validator's own words don't say it. */
function wordsOf({ keyword, params, message = 'is not valid' }: SchemaFault): string {
  if (keyword === 'enum') return `must be one of ${[params.allowedValues].flat().join(', ')}`;
  if (keyword === 'pattern' && String(params.pattern).includes('u0000'))
    return 'must not have the NUL character';
  return message;
}
