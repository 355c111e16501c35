import assert from 'node:assert/strict';

/** Returns the one line in which a configuration is refused, without the path of its directory. */
export function faultOf(read: () => unknown, directory: string): string {
  try {
    read();
  } catch (reason) {
    assert.ok(reason instanceof Error && reason.name === 'ConfigError');
    assert.ok(!reason.message.includes('\n'));
    return reason.message.replace(`${directory}/`, '');
  }
  throw new assert.AssertionError({ message: 'The configuration was accepted' });
}
