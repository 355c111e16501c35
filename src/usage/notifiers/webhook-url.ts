import { ServiceError } from '../../errors.ts';
import { refusePrivateHost } from './public-address.ts';

const maxLength = 2_000;

/**
 * The URL of a webhook as it is kept. Throws `invalid_request`. What a name leads to is looked at when it is connected to: by then it
 * may be something else.
 */
export function webhookUrl(text: string, mayBePrivate: boolean): string {
  const url = URL.parse(text.trim());
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isHttp || url.username || url.password || url.href.length > maxLength) {
    throw wrong('must be an http or https URL without a user in it, such as https://example.com/hook');
  }
  url.hash = '';
  try {
    if (!mayBePrivate) refusePrivateHost(url);
  } catch (reason) {
    throw wrong(`can not be used: ${(reason as Error).message}`);
  }
  return url.href;
}

function wrong(what: string): ServiceError {
  return new ServiceError('invalid_request', `address ${what}`, { param: 'address' });
}
