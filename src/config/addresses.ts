/**
 * Reports whether a text is an origin as browsers send it: no path, no default port, lower case. Apps have schemes of
 * their own.
 */
export function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return !!url?.host && !url.host.includes('*') && value === `${url.protocol}//${url.host}`.toLowerCase();
}

/** What an address can say to Nodemailer in its query, besides `tls.…`. Nodemailer ignores what it doesn't know. */
export const mailOptions = [
  ...['ignoreTLS', 'opportunisticTLS', 'requireTLS', 'pool', 'maxConnections', 'maxMessages', 'rateLimit'],
  ...['rateDelta', 'idleTimeout', 'name', 'servername', 'localAddress', 'authMethod'],
];
/** Nodemailer takes an empty value for `false`, and any other word for `true`. */
const mailSwitch = /TLS$|^pool$/;

export function isMailUrl(value: string): boolean {
  const url = URL.parse(value);
  const isMail = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
  if (!isMail || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.hash !== '') return false;
  return [...url.searchParams].every(
    ([name, value]) =>
      /^tls\../.test(name) ||
      (mailOptions.includes(name) && (!mailSwitch.test(name) || /^(true|false)$/.test(value))),
  );
}

export function isPostgresUrl(value: string): boolean {
  // A socket's directory is in `?host=`, and the host's place is empty.
  const url = URL.parse(value.replace('@/', '@localhost/'));
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') return false;
  // A password with one of these would be cut, and its rest taken for the host.
  if (url.hash !== '' || /^\w+:\/\/[^/?]*@[^/?]*@/.test(value)) return false;
  try {
    return [url.username, url.password, url.pathname].map(decodeURIComponent).length > 0;
  } catch {
    return false;
  }
}
