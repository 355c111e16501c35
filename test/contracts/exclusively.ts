import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Stores } from '../../src/service/stores.ts';

/**
 * What all stores guarantee about `exclusively`. `prepare` resolves to a function that opens stores on the
 * same data each time.
 */
export function exclusivelyContract(name: string, prepare: () => Promise<() => Promise<Stores>>): void {
  describe(`exclusively on ${name}`, () => {
    let here: Stores;
    let there: Stores;
    before(async () => {
      const open = await prepare();
      here = await open();
      there = await open();
    });
    after(() => Promise.all([here.close(), there.close()]));

    it('one caller runs, another is refused at once, and can run when the first is done', async () => {
      const isOver = Promise.withResolvers<string>();
      const isRunning = Promise.withResolvers<void>();
      const first = here.exclusively(() => {
        isRunning.resolve();
        return isOver.promise;
      });
      await isRunning.promise;
      for (const stores of [here, there]) {
        await assert.rejects(
          stores.exclusively(() => assert.fail('it ran beside the first')),
          { code: 'unavailable', message: /Another command is doing this right now/ },
        );
      }
      isOver.resolve('done');
      assert.equal(await first, 'done');
      assert.equal(await there.exclusively(async () => 'done too'), 'done too');
    });

    it('a failure is passed on and blocks nobody', async () => {
      const failing = here.exclusively(async () => {
        throw new TypeError('on purpose');
      });
      await assert.rejects(failing, TypeError);
      await there.exclusively(async () => {});
    });
  });
}
