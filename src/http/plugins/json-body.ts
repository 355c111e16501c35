import { isUtf8 } from 'node:buffer';
import { asError, ServiceError } from '../../errors.ts';
import type { Hold } from '../../load/hold.ts';
import type { App } from '../app-types.ts';
import { readBody } from '../read-body.ts';

/** Bodies of at most this size are parsed without counting their values. */
const smallBytes = 64 << 10;
/** After a body of more than this size, the event loop serves others for a while before it parses the next one. */
const pausedBytes = 256 << 10;
/** The length of the pause, as a multiple of the time that the body took. */
const pauseFactor = 4;
/** Four times as many as in the largest request, which has 2,048 texts and a few fields. */
const maxElements = 8_192;

/** Parses JSON bodies. Invalid UTF-8 is an error instead of becoming replacement characters. */
export function jsonBody(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(payload, { maxBytes: request.routeOptions.bodyLimit, hold: request.hold }, (reason, body) => {
      if (reason || !body) done(reason);
      else if (body.length <= smallBytes) finish(body, done);
      else finishInTurn(body, request.hold, done);
    });
  });
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

/** Does the same when it is the client's turn, so that a client with many large bodies doesn't delay the others. */
function finishInTurn(body: Buffer, hold: Hold, done: Done): void {
  hold.takeParsingTurn(body.length).then(
    (end) => {
      const beganMs = performance.now();
      finish(body, done);
      // A request has about ten turns of the event loop. If a large body took each of the turns between them, all other
      // requests would take ten times as long as a body.
      if (body.length > pausedBytes) setTimeout(end, pauseFactor * (performance.now() - beganMs));
      else setImmediate(end);
    },
    (reason) => done(asError(reason)),
  );
}

function parse(body: Buffer): unknown {
  if (body.length === 0) throw new ServiceError('invalid_request', 'The body is empty');
  if (!isUtf8(body)) throw new ServiceError('invalid_request', 'The body is not valid UTF-8');
  if (body.length > smallBytes && hasMoreElements(body, maxElements)) {
    throw new ServiceError(
      'invalid_request',
      `The body has more than ${maxElements.toLocaleString('en-US')} values, more than any request needs`,
    );
  }
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // V8's message quotes the body, which may contain secrets.
    throw new ServiceError('invalid_request', 'The body is not valid JSON');
  }
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;

/**
 * Reports whether a JSON text has more arrays, objects and separators than `limit`. JSON.parse would create an object
 * for each: four million nested arrays would block the event loop for seconds. Takes a few milliseconds for four
 * megabytes.
 */
function hasMoreElements(json: Buffer, limit: number): boolean {
  let count = 0;
  let isInText = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (isInText) {
      if (byte === backslash) i += 1;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === comma || byte === bracket || byte === brace) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}
