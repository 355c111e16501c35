import type { ReactNode } from 'react';
import { isFinal } from '../api/problem.ts';
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
  if (query.error) {
    return <Problem error={query.error} onRetry={isFinal(query.error) ? undefined : () => query.refetch()} />;
  }
  return (
    <>
      <span role="status" className="sr-only">
        Loading…
      </span>
      {placeholder}
    </>
  );
}
