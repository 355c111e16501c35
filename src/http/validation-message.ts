import type { FastifySchemaValidationError } from 'fastify';
import { maxTexts as maxInputs } from '../embeddings/request-tokens.ts';
import { maxPageLimit } from '../lib/page.ts';

type Fault = { message: string; param: string };

/** Returns a message for a request that does not match its schema. It names the field and says what to send. */
export function validationMessage(
  errors: readonly FastifySchemaValidationError[],
  body: unknown,
  context = 'body',
): Fault {
  if (context === 'querystring') return fieldFault(errors, queryExpectations);
  if (context !== 'body') return fieldFault(errors);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { message: 'The body must be a JSON object', param: 'body' };
  }
  const fault = fieldFault(errors);
  if (fault.param !== 'input') return fault;
  return { message: inputFault('input' in body ? body.input : undefined), param: 'input' };
}

function fieldFault(
  [first]: readonly FastifySchemaValidationError[],
  expectations: Readonly<Record<string, string>> = bodyExpectations,
): Fault {
  const missing = first?.params.missingProperty ?? first?.params.requiredProperties;
  const field = first?.instancePath.split('/')[1] ?? String(missing ?? 'body');
  const expected = expectations[field];
  if (missing !== undefined && !expected) return { message: `${field} is missing`, param: field };
  if (expected) return { message: `${field} must be ${expected}`, param: field };
  return { message: `${field} ${first?.message ?? 'is not valid'}`, param: field };
}

const queryExpectations = { limit: `a whole number from 1 to ${maxPageLimit}` };

const bodyExpectations: Record<string, string> = {
  model: 'a string',
  encoding_format: '"float" or "base64"',
  dimensions: 'a whole number of 1 or more',
  user: 'a string',
  input_type: '"query" or "document"',
  truncate: 'true or false',
};

function inputFault(input: unknown): string {
  if (input === undefined) return 'input is missing: send a string or an array of strings';
  if (input === '') return 'input must not be empty';
  if (!Array.isArray(input)) return 'input must be a string or an array of strings';
  if (input.length === 0) return 'input must not be empty';
  if (input.length > maxInputs)
    return `input has ${input.length} texts, but a request can have at most ${maxInputs}`;
  const at = input.findIndex((text) => typeof text !== 'string' || text === '');
  const first = input[at];
  if (first === '') return `input[${at}] must not be empty`;
  if (typeof first === 'number' || Array.isArray(first)) {
    return (
      `input[${at}] is a token id or a list of them, but this server accepts only text. ` +
      'In LangChain, pass check_embedding_ctx_length=False'
    );
  }
  return `input[${at}] must be a string`;
}
