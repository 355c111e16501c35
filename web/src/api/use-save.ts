import { type QueryKey, useMutation } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/**
 * A change that the service saves. What it may have changed is loaded again, even after an error, because the page may
 * have shown something outdated. `done` comes after that, so that the focus does not return to a row that is about to
 * go.
 */
export function useSave<Values = void, Result = unknown>(
  save: (values: Values) => Promise<Result>,
  changed: readonly QueryKey[],
  done?: (result: Result, values: Values) => unknown,
) {
  const refresh = () => Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return useMutation({
    mutationFn: save,
    onError: refresh,
    onSuccess: async (result, values) => {
      await refresh();
      await done?.(result, values);
    },
  });
}
