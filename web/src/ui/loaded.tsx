import { type ReactNode, useLayoutEffect } from 'react';
import { isStatus } from '../api/problem.ts';
import { sharedState } from '../lib/shared-state.ts';
import { Problem } from './problem.tsx';

interface Props<Data> {
  query: { readonly data: Data | undefined; readonly error: Error | null; refetch(): unknown };
  /** The placeholder while loading, as high as the content. */
  placeholder: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The result of a query, or its progress. Data stays while it is refreshed; StaleNotice says when that fails. */
export function Loaded<Data>({ query, placeholder, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failed error={query.error} onRetry={() => query.refetch()} />;
  return (
    <>
      <span role="status" className="sr-only">
        Loading…
      </span>
      {placeholder}
    </>
  );
}

const shown = sharedState<readonly Error[]>([]);
/** The errors that stand where their data would be. */
export const useShownErrors = shown.use;

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  useLayoutEffect(() => {
    shown.set([...shown.get(), error]);
    return () => shown.set(shown.get().filter((each) => each !== error));
  }, [error]);
  // What doesn't exist doesn't come back.
  return <Problem error={error} onRetry={isStatus(error, 404) ? undefined : onRetry} />;
}
