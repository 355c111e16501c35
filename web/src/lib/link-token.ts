import { useState } from 'react';

/** Returns the token behind `#token=` in a link, which no server's log contains. */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token'));
  return token;
}
