import { useState } from 'react';

/** The token that a link holds behind `#token=`, where no server's log sees it. */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token'));
  return token;
}
