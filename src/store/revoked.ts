/**
 * What revoking writes into a key's row. The token goes here and not by the trigger alone (see migrations/0005-key-chains.ts),
 * which somebody could have dropped. The trigger is for older replicas, and for people with a database shell.
 */
export const revoked = (nowMs: number) => ({
  status: 'revoked' as const,
  revokedAt: nowMs,
  token: Buffer.alloc(0),
});
