/**
 * `store`, whose named methods tell this process's own listeners when they are done, with or without success: the
 * notification that tells all others takes its way through the database, and the next request may be quicker.
 */
export function tellingHere<S extends object>(
  store: S,
  methods: readonly (keyof S & string)[],
  tell: () => void,
): S {
  const telling = methods.map((name) => {
    const method = store[name] as (...args: unknown[]) => Promise<unknown>;
    return [name, (...args: unknown[]) => method.apply(store, args).finally(tell)];
  });
  return { ...store, ...Object.fromEntries(telling) };
}
