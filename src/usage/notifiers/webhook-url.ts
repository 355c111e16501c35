import { ServiceError } from '../../errors.ts';
import { refusePrivateHost } from './public-address.ts';

const maxLength = 2_000;

/**
 * Returns the URL of a webhook in its stored form. Throws `invalid_request`. A name's addresses are checked only when
 * connecting, because they may change.
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
