/** The effect of a fault on the clients. */
export interface Figures {
  readonly scenario: string;
  readonly answered: number;
  readonly failed: number;
  /** Counted without a response. */
  readonly surplus: number;
  readonly longestMs: number;
  readonly recoveryMs: number | undefined;
}

const titles = ['scenario', 'answered', 'failed', '`used`', 'longest wait', 'recovery'];

/** A table in the form of docs/operations.md. */
export function tableOf(figures: readonly Figures[]): string {
  const rows = figures.map(({ scenario, answered, failed, surplus, longestMs, recoveryMs }) => [
    scenario,
    answered.toLocaleString('en'),
    failed.toLocaleString('en'),
    surplus === 0 ? 'exact' : `+${surplus}`,
    `${(longestMs / 1_000).toFixed(2)} s`,
    recoveryMs === undefined ? '–' : `${recoveryMs.toFixed(0)} ms`,
  ]);
  const rule = titles.map(() => '---');
  return [titles, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
