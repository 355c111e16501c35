import { useEffect, useState } from 'react';
import { serviceTime } from './service-time.ts';

/** The current time in milliseconds by the service's clock, updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => serviceTime());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serviceTime()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
