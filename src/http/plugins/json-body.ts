import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { fieldsOf, isObject } from '../../../packages/small/src/json.ts';
import { asError, codeOf, invalidField, invalidRequest, ServiceError } from '../../errors.ts';
import { areClose, minLength } from '../../lib/close-names.ts';
import { FairTurns } from '../../lib/fair-turns.ts';
import { excerpt } from '../../lib/harmless.ts';
import { excessOf, smallJsonBytes } from '../../lib/json-bounds.ts';
import { runInTurn } from '../../load/event-loop.ts';
import type { Hold } from '../../load/hold.ts';
import type { App } from '../app-types.ts';
import { type BodyBound, bodyTooLarge, maxBytesOf, readBody } from '../read-body.ts';

/** A queue of its own, because zlib's threads do the work. One at a time, because nobody knows how large a body is. */
const decompressing = new FairTurns(1);

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
};

/**
 * Parses JSON bodies of a type, or of any type (`*`). Invalid UTF-8 is an error instead of becoming replacement
 * characters.
 */
export function jsonBody(app: App, type = 'application/json'): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(type, (request, payload, done) => {
    const { hold } = request;
    const { config, schema } = request.routeOptions;
    const { bodyBound: bound = 'MAX_FORM_KB' } = config;
    const parsed: Done = (reason, value) => {
      removeAbsentNulls(value, schema?.body);
      done(reason ?? misspelledField(value, schema?.body), value);
    };
    const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
    const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
    if (encoding !== 'identity' && !decode) {
      done(
        new ServiceError(
          'unsupported_media_type',
          `Compress the body with ${Object.keys(decoders).join(', ')}, or not at all`,
        ),
      );
      return;
    }
    readBody(payload, { bound, hold }, (reason, body, readMs) => {
      if (reason || !body) done(reason);
      // OpenAI's SDK for Python states the type of a body that it doesn't send.
      else if (body.length === 0 && !schema?.body) done(null);
      else if (decode)
        decompressing
          .run(hold.party, 1, () => decompressed(body, { decode, bound, hold }))
          .then((decoded) => finishInTurn(decoded, hold, parsed), parsed);
      else if (body.length <= smallJsonBytes) finish(body, parsed);
      else finishInTurn(body, hold, parsed, readMs);
    });
  });
}

/** Returns the body as it was before it was compressed, which is bounded and charged to the client like the body. */
async function decompressed(
  body: Buffer,
  { decode, bound, hold }: { decode: Decode; bound: BodyBound; hold: Hold },
): Promise<Buffer> {
  const decoded = await decode(body, { maxOutputLength: maxBytesOf(bound, hold) }).catch((cause) => {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(bound, hold);
    throw invalidRequest('The body can’t be decompressed as Content-Encoding says', {
      cause,
    });
  });
  hold.add(decoded.length);
  return decoded;
}

type Done = (reason: Error | null, value?: unknown) => void;

/** Parses a body and passes it on. The request's handler then begins in the same turn of the event loop. */
function finish(body: Buffer, done: Done): void {
  let value: unknown;
  try {
    value = parse(body);
  } catch (fault) {
    done(asError(fault));
    return;
  }
  done(null, value);
}

/** Parses a body when it is the client's turn, so that a client with many large bodies doesn't delay the others. */
function finishInTurn(body: Buffer, hold: Hold, done: Done, readMs = 0): void {
  hold.takeLoopTurn().then(
    (turn) => runInTurn(turn, () => finish(body, done), readMs),
    (reason) => done(asError(reason)),
  );
}

function parse(body: Buffer): unknown {
  if (body.length === 0) throw invalidRequest('The body is empty');
  if (!isUtf8(body)) throw invalidRequest('The body is not valid UTF-8');
  const excess = excessOf(body);
  if (excess) throw invalidRequest(`The body has ${excess}`);
  try {
    return JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    // V8's message quotes the body, which may contain secrets.
    throw invalidRequest('The body is not valid JSON');
  }
}

/** The optional fields of each schema, from their first use. */
const optionalFields = new WeakMap<object, ReadonlySet<string>>();

/**
 * Removes optional fields of a body that are `null`, because many clients send `null` for what they leave out. Fields
 * for which `null` has a meaning of its own stay.
 */
export function removeAbsentNulls(body: unknown, schema: unknown): void {
  if (!isObject(body) || !isObject(schema)) return;
  for (const name in body) {
    if (body[name] === null && optionalFieldsOf(schema).has(name)) Reflect.deleteProperty(body, name);
  }
}

const maxUnknown = 20;
/** Fields that other APIs have and that are ignored here, although they look like one of ours. */
const foreign = ['normalize', 'embedding_types', 'top_p', 'text'];

/** Returns the error of a field that is unknown and nearly has the name of a known one, which the body lacks. */
export function misspelledField(body: unknown, schema: unknown): ServiceError | null {
  const known = fieldsOf(fieldsOf(schema).properties);
  const unknown = Object.keys(fieldsOf(body)).filter(
    (name) => !Object.hasOwn(known, name) && !foreign.includes(name),
  );
  if (unknown.length === 0) return null;
  const absent = Object.keys(known).filter((name) => !Object.hasOwn(fieldsOf(body), name));
  for (const name of unknown.slice(0, maxUnknown)) {
    const words = plain(name);
    const meant = absent.find(
      (field) => words === plain(field) || (field.length >= minLength && areClose(name, field)),
    );
    if (meant) return invalidField(name, `${excerpt(name)} is not known: did you mean ${meant}?`);
  }
  return null;
}

/** Returns a name without what differs between `encodingFormat` and `encoding_format`. */
const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

function optionalFieldsOf(schema: object): ReadonlySet<string> {
  const known = optionalFields.get(schema);
  if (known) return known;
  const { properties, required = [] } = fieldsOf(schema);
  const optional = Object.entries(fieldsOf(properties)).filter(
    ([name, field]) => !(required as string[]).includes(name) && !takesNull(field),
  );
  const names = new Set(optional.map(([name]) => name));
  optionalFields.set(schema, names);
  return names;
}

const takesNull = (field: unknown): boolean => {
  const { anyOf, type } = fieldsOf(field);
  return type === 'null' || (Array.isArray(anyOf) && anyOf.some(takesNull));
};
