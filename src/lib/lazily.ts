export interface Lazy<T> {
  /** Returns what `load` returns, which is called at the first use. A failure is thrown and not kept: the next use tries again. */
  get(): Promise<T>;
  /** Returns what has been loaded, or is being loaded; undefined when that was never tried or has failed. */
  loaded(): Promise<T | undefined>;
}

/** Modules that no start should wait for. An installation that is replaced while the service runs lacks them for a while. */
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
