export interface Lazy<T> {
  /**
   * Returns the result of `load`, which is called on first use. Throws its error without keeping it: the next call
   * tries again.
   */
  get(): Promise<T>;
  /** Returns the value that has been or is being loaded; undefined if `load` was never called or failed. */
  loaded(): Promise<T | undefined>;
}

/**
 * Defers loading a module, so that no start waits for it. A failure may pass: while npm replaces the installation of a
 * running service, modules are missing for a moment.
 */
export function lazily<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  return {
    get() {
      loading ??= load().catch((reason) => {
        loading = undefined;
        throw reason;
      });
      return loading;
    },
    loaded: async () => loading?.catch(() => undefined),
  };
}
