import { after } from 'node:test';

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());

/** Keeps something until the tests of this file have ended. What was opened last is closed first. */
export function untilEnd<T extends AsyncDisposable | Disposable>(resource: T): T {
  return opened.use(resource);
}
