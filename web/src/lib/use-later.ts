import { useEffect, useState } from 'react';

/** Returns a text a moment after it has stopped to change, so that one request is enough for a word. */
export function useLater(text: string, delayMs = 200): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), delayMs);
    return () => clearTimeout(timer);
  }, [text, delayMs]);
  return later;
}
