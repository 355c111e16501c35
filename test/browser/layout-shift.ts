import type { Page } from 'playwright-core';

const script = `new Promise((resolve) => {
  let sum = 0;
  const add = (list) => { for (const { value } of list.getEntries()) sum += value; };
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  // What is buffered is told in a task of its own, before this one.
  setTimeout(() => resolve(sum), 50);
})`;

/**
 * How much of the page has moved while it loaded: the sum of the browser's layout-shift scores, 0 if nothing
 * has moved. Up to 0.1 counts as good: https://web.dev/articles/cls
 */
export const layoutShift = (page: Page): Promise<number> => page.evaluate<number>(script);
