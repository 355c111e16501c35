import { registerHooks } from 'node:module';

// Opens and closes the stores that the environment names, and prints which modules were loaded for it.
// Started by open.test.ts.

const urls: string[] = [];
registerHooks({
  load(url, context, next) {
    urls.push(url);
    return next(url, context);
  },
});
const { readConfig } = await import('../../../src/config/config.ts');
const { openCore } = await import('../../../src/service/core.ts');
const core = await openCore(readConfig(process.env), { now: () => 0 });
await core.close();
console.log(JSON.stringify(urls));
