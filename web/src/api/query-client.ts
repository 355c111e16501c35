import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isFinal, isStatus } from './problem.ts';

let whenRefused = (): void => {};

/** Called when a request was refused with 401: the session may have ended in the meantime. */
export function onRefused(listener: () => void): void {
  whenRefused = listener;
}

/** How long a failed request is not sent again by itself. */
const refreshAfterErrorMs = 10_000;

const onError = (reason: Error): void => {
  if (isStatus(reason, 401)) whenRefused();
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // Without a connection, a change fails at once: one that happens an hour later would surprise people.
    mutations: { networkMode: 'always' },
    queries: {
      // Long enough for the parts of a page to share a response, and short enough for the next page to be up to date.
      staleTime: 1_000,
      // A part of a page that appears when another one has failed must not ask again what has just failed.
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > refreshAfterErrorMs,
      retry: (failures, error) => failures < 2 && !isFinal(error) && !isStatus(error, 429),
    },
  },
});
