/** Returns the path of PUBLIC_URL; empty if it has none. */
export const publicPath = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
