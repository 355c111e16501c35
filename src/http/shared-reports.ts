import { LRUCache } from 'lru-cache';
import type { Static } from 'typebox';
import type { UsageReportResponse } from '../api/usage-report.ts';

type Report = Static<typeof UsageReportResponse>;
type Shared = { readonly report: Promise<Report>; readonly readers: Set<string> };

/** Reports of the last second, so that all who look at the same page cost one. */
export class SharedReports {
  readonly #shared = new LRUCache<string, Shared>({ max: 100, ttl: 1_000, ttlAutopurge: true });

  /**
   * Returns the last second's answer to a question, or a new one. A reader gets each only once: one who asks again has
   * perhaps changed something since.
   */
  get(question: string, reader: string, compute: () => Promise<Report>): Promise<Report> {
    const known = this.#shared.get(question);
    if (!known || known.readers.has(reader)) {
      const report = compute();
      this.#shared.set(question, { report, readers: new Set([reader]) });
      return report;
    }
    known.readers.add(reader);
    // It may have failed for a reason that concerns only its first reader, whose connection has ended.
    return known.report.catch(compute);
  }
}
