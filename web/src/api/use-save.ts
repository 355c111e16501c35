import { type QueryKey, useMutation } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

const longestMs = 2_000;

/**
 * A change that the service saves. What it may have changed is loaded again, even after an error, because the page may
 * have shown something outdated. What was saved, or why it was not, shows at once. `done` comes after the refresh, so that the
 * focus does not return to a row that is about to go, but does not wait for long.
 */
export function useSave<Values = void, Result = unknown>(
  save: (values: Values) => Promise<Result>,
  changed: readonly QueryKey[],
  done?: (result: Result, values: Values) => unknown,
) {
  const refresh = () => Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return useMutation({
    mutationFn: save,
    onError: () => void refresh(),
    onSuccess: async (result, values) => {
      const refreshed = refresh();
      if (!done) return;
      await Promise.race([refreshed, new Promise((resolve) => setTimeout(resolve, longestMs))]);
      await done(result, values);
    },
  });
}
