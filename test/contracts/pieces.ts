import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { PieceStore } from '../../src/files/file.ts';
import { newId } from '../../src/lib/ids.ts';

/** What every store of pieces promises. Each test opens one. */
export function piecesContract(
  name: string,
  open: () => Promise<{ readonly pieces: PieceStore; close?(): Promise<void> }>,
): void {
  describe(`pieces: ${name}`, () => {
    // The largest one: 4 MiB, and what the encryption adds.
    for (const bytes of [1, (4 << 20) + 28]) {
      it(`returns ${bytes} bytes as they were stored`, async () => {
        const { pieces, close } = await open();
        const [id, other] = [newId(), newId()];
        const content = randomBytes(bytes);
        await pieces.put(id, content);
        await pieces.put(other, Buffer.from('another'));
        assert.ok(content.equals((await pieces.get(id))!));
        await pieces.delete(id);
        assert.equal(await pieces.get(id), undefined);
        assert.equal(String(Buffer.from((await pieces.get(other))!)), 'another');
        await pieces.delete(other);
        await close?.();
      });
    }

    it('returns undefined for a piece that is missing, and deleting it does nothing', async () => {
      const { pieces, close } = await open();
      assert.equal(await pieces.get(newId()), undefined);
      await pieces.delete(newId());
      await close?.();
    });
  });
}
