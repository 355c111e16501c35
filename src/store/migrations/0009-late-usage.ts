import { flushQuota } from './0001-flush-quota.ts';
import { columnTypes } from './column-types.ts';
import type { Migration } from './migration.ts';

/** The day before which there may be months with sums, or months that are being summed up; null where there are none. */
const summedUntil = `CREATE FUNCTION usage_summed_until() RETURNS BIGINT VOLATILE LANGUAGE sql AS $$
    SELECT GREATEST((SELECT max(end_day) FROM usage_rolled), (SELECT max(end_day) FROM usage_rolling))
  $$`;

/**
 * Says that records of these days have come late, for a month that has sums or is being summed up. Reports then read the month's records until
 * it is summed up again. Called after the records were written, under the lock of the organization or of its windows.
 */
const touched = `CREATE FUNCTION usage_touched(org_ids TEXT[], days BIGINT[]) RETURNS VOID VOLATILE LANGUAGE plpgsql AS $$
  DECLARE
    until BIGINT := usage_summed_until();
  BEGIN
    IF until IS NULL OR NOT EXISTS (SELECT FROM unnest(days) AS d (day) WHERE d.day < until) THEN
      RETURN;
    END IF;
    INSERT INTO usage_rolling AS r (org_id, first_day, end_day, round, after_day, after_key)
    SELECT DISTINCT o.org_id,
      extract(epoch FROM month.start)::BIGINT / 86400,
      extract(epoch FROM month.start + INTERVAL '1 month')::BIGINT / 86400, 0, -1, ''
    FROM unnest(org_ids, days) AS t (org_id, day)
    JOIN organizations o ON o.org_id = t.org_id
    CROSS JOIN LATERAL (SELECT date_trunc('month', to_timestamp(t.day * 86400) AT TIME ZONE 'UTC')) AS month (start)
    WHERE t.day < until
    ORDER BY 1, 2
    ON CONFLICT (org_id, first_day) DO UPDATE SET round = r.round + 1, after_day = -1, after_key = '';
  END $$`;

/**
 * Begins to sum a month up, and returns the number of this round; null where there is no such organization. The locks wait for whatever
 * is writing records of the organization, and what writes later sees that the month is being summed up.
 */
const begin = `CREATE FUNCTION usage_roll_up_begin(of_org TEXT, month_first BIGINT, month_end BIGINT) RETURNS BIGINT VOLATILE LANGUAGE plpgsql AS $$
  DECLARE
    this_round BIGINT;
  BEGIN
    PERFORM FROM organizations o WHERE o.org_id = of_org FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    PERFORM FROM quota_windows w WHERE w.org_id = of_org AND w.window_kind = 'month' FOR NO KEY UPDATE;
    INSERT INTO usage_rolling AS r (org_id, first_day, end_day, round, after_day, after_key)
    VALUES (of_org, month_first, month_end, 0, -1, '')
    ON CONFLICT (org_id, first_day) DO UPDATE SET round = r.round + 1, after_day = -1, after_key = ''
    RETURNING r.round INTO this_round;
    DELETE FROM usage_rolled WHERE org_id = of_org AND first_day = month_first;
    RETURN this_round;
  END $$`;

/** Replaces a part of a function of an older step, which has to be there. */
function changed(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`There is no such part: ${from}`);
    return before.replace(from, () => to);
  }, text);
}

/** The flush's functions, which say now what comes late, and make an organization's first row under a lock that waits for a deletion. */
function flushFunctions(): string[] {
  const [, flush = '', flushOfOne = ''] = flushQuota;
  return [
    changed(flush, [
      ['CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'],
      [
        'ORDER BY o.org_id\n    ON CONFLICT DO NOTHING;',
        'ORDER BY o.org_id\n    FOR SHARE\n    ON CONFLICT DO NOTHING;',
      ],
      ['this_month_ms BIGINT;\n  BEGIN', 'this_month_ms BIGINT;\n    summed_until BIGINT;\n  BEGIN'],
      [
        'FROM decided d\n    WHERE d.org_id IS NOT NULL;\n  END $$',
        `FROM decided d
    WHERE d.org_id IS NOT NULL;

    summed_until := usage_summed_until();
    IF decided_ms / 86400000 < summed_until THEN
      PERFORM usage_touched(array_agg(w.org_id), array_agg(GREATEST(decided_ms, w.window_start) / 86400000))
      FROM quota_windows w WHERE w.org_id = ANY (org_ids) AND w.window_kind = 'month';
    END IF;
    IF EXISTS (SELECT FROM unnest(back_day) AS b (day) WHERE b.day < summed_until) THEN
      PERFORM usage_touched(array_agg(org_ids[b.org_at]), array_agg(b.day)) FROM unnest(back_org_at, back_day) AS b (org_at, day);
    END IF;
  END $$`,
      ],
    ]),
    changed(flushOfOne, [
      ['CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'],
      [
        'FROM organizations o WHERE o.org_id = of_org\n      ON CONFLICT DO NOTHING;',
        'FROM organizations o WHERE o.org_id = of_org FOR SHARE\n      ON CONFLICT DO NOTHING;',
      ],
      [
        'IF FOUND THEN\n        org_at := 1;',
        'IF FOUND THEN\n        PERFORM usage_touched(ARRAY[of_org], ARRAY[on_day]);\n        org_at := 1;',
      ],
      [
        '    ORDER BY r.key_id COLLATE "C"\n    ON CONFLICT (org_id, day, key_id) DO UPDATE SET counted = u.counted + excluded.counted;\n  END $$',
        '    ORDER BY r.key_id COLLATE "C"\n    ON CONFLICT (org_id, day, key_id) DO UPDATE SET counted = u.counted + excluded.counted;\n    PERFORM usage_touched(ARRAY[of_org], ARRAY[on_day]);\n  END $$',
      ],
    ]),
  ];
}

/** Months are summed up in small steps, and again when records come late for them. */
export const lateUsage: Migration = {
  version: 9,
  statements: (dialect) => {
    const { id } = columnTypes[dialect];
    return [
      // Months whose sums are being made, or have to be made again: reports don't use them. What comes late raises `round`.
      // after_day is -1 until older sums are gone; then the records up to after_day and after_key are in the sums.
      `CREATE TABLE usage_rolling (
        org_id ${id} NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
        first_day BIGINT NOT NULL,
        end_day BIGINT NOT NULL,
        round BIGINT NOT NULL,
        after_day BIGINT NOT NULL,
        after_key ${id} NOT NULL,
        PRIMARY KEY (org_id, first_day)
      )`,
      `CREATE INDEX usage_rolling_by_end ON usage_rolling (end_day)`,
      `CREATE INDEX usage_rolled_by_end ON usage_rolled (end_day)`,
      ...(dialect === 'postgres' ? [summedUntil, touched, begin, ...flushFunctions()] : []),
    ];
  },
};
