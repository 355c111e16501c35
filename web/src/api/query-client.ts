import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './problem.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Long enough for the parts of a page to share an answer; whoever opens another page sees it as it is now.
      staleTime: 1_000,
      // What the server has refused, it would refuse again.
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status > 0 && error.status < 500),
    },
  },
});
