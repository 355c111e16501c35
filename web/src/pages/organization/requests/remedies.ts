import type { LoggedRequest } from '../../../api/requests.ts';

const remedies: Readonly<Record<string, string>> = {
  invalid_api_key: 'The key was revoked or has expired. Create another one.',
  paused: 'The key is paused. Resume it on its page.',
  revoked: 'The key was revoked. Create another one.',
  network: 'The request came from outside of the key’s networks, which are on the key’s page.',
  expired: 'The key has expired. Create another one.',
  rate_limit_exceeded: 'The quota was used up. Wait for its reset, or raise it.',
  overloaded: 'The service had too many texts waiting. Send the request again a moment later.',
  invalid_request: 'The request was not valid. The message that the client got says why.',
  payload_too_large: 'The body was too large. Send fewer texts at a time.',
  request_timeout: 'The client disconnected before the response was ready.',
  model_retired: 'The model is no longer served. Use its replacement.',
  fingerprint_mismatch: 'The model’s vectors are not those that the client expects.',
  unavailable: 'A part of the service did not respond. Ask its operator.',
  internal_error: 'Something went wrong in the service. Send its operator the request ID.',
};

/** Returns why a request was refused or failed, and what to do about it. Null if it succeeded. */
export function remedyOf({ status, error, limit_id, param }: LoggedRequest): string | null {
  if (error === null) return null;
  if (limit_id !== null) return `${status}: A limit was used up. Wait for its reset, or raise it.`;
  if (error === 'forbidden' && param !== null)
    return param === 'model'
      ? '403: The key may not use this model. Choose another one, or allow it on the key’s page.'
      : `403: The key lacks the scope “${param}”. Give it to the key on its page, or use another key.`;
  if (error === 'invalid_api_key') return `${status}: ${remedies[param ?? error]}`;
  if (param !== null)
    return `${status}: ${param} was not valid. The message that the client got says what it must be.`;
  return `${status}: ${remedies[error] ?? `The service returned ${error}.`}`;
}
