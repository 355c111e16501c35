import type { FastifySchemaValidationError } from 'fastify';
import { pageExpectations } from '../api/common.ts';
import { embeddingsExpectations, inputFault } from '../api/embedding.ts';
import { rerankExpectations } from '../api/rerank.ts';
import { fieldsOf } from '../lib/json.ts';

type Fault = { message: string; param: string };

/** Returns a message for a request that does not match its schema. It names the field and says what to send. */
export function validationMessage(
  errors: readonly FastifySchemaValidationError[],
  body: unknown,
  context = 'body',
): Fault {
  if (context === 'querystring') return fieldFault(errors, pageExpectations);
  if (context !== 'body') return fieldFault(errors);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { message: 'The body must be a JSON object', param: 'body' };
  }
  const isRerank = 'query' in body || errors[0]?.params.missingProperty === 'query';
  const fault = fieldFault(
    errors,
    isRerank ? { ...embeddingsExpectations, ...rerankExpectations } : embeddingsExpectations,
  );
  if (fault.param !== 'input') return emptyFault(fault.param, fieldsOf(body)[fault.param]) ?? fault;
  return { message: inputFault('input' in body ? body.input : undefined), param: 'input' };
}

const fieldsOfTexts = ['inputs', 'texts', 'prompt'];

/** Returns a message that names the empty text, of which the schema's own message says nothing. */
function emptyFault(param: string, value: unknown): Fault | undefined {
  if (!fieldsOfTexts.includes(param)) return undefined;
  if (!Array.isArray(value))
    return value === '' ? { message: `${param} must not be empty`, param } : undefined;
  const at = value.indexOf('');
  return at < 0 ? undefined : { message: `${param}[${at}] must not be empty`, param };
}

function fieldFault(
  [first]: readonly FastifySchemaValidationError[],
  expectations: Readonly<Record<string, string>> = embeddingsExpectations,
): Fault {
  const missing = first?.params.missingProperty ?? first?.params.requiredProperties;
  const field = first?.instancePath.split('/')[1] ?? String(missing ?? 'body');
  const expected = expectations[field];
  if (missing !== undefined && !expected) return { message: `${field} is missing`, param: field };
  if (expected) return { message: `${field} must be ${expected}`, param: field };
  return { message: `${field} ${first?.message ?? 'is not valid'}`, param: field };
}
