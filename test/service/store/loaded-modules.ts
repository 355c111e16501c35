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
const { openGate } = await import('../../../src/service/gate.ts');
const gate = await openGate(readConfig(process.env), { now: () => 0 });
await gate.close();
console.log(JSON.stringify(urls));
