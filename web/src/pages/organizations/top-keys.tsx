import { trendDays, type UsageReport } from '../../api/usage.ts';
import { ShareBar } from '../../ui/share-bar.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { Panel } from './panel.tsx';

const title = `Top keys, last ${trendDays} days`;
const shown = 3;

/** The keys with the largest share of the counted requests. */
export function TopKeys({ report }: { report: UsageReport | undefined }) {
  if (!report) {
    return (
      <Panel title={title} className="sm:max-lg:col-span-2">
        <SkeletonBlock height={4.75} />
      </Panel>
    );
  }
  const keys = topKeys(report);
  return (
    <Panel title={title} className="min-h-26 sm:max-lg:col-span-2">
      {keys.length === 0 ? (
        <p className="text-muted">No key was used in this period.</p>
      ) : (
        <ol className="grid grid-cols-1 gap-2">
          {keys.map(({ id, name, counted }) => (
            <li key={id} className="flex items-center justify-between gap-3">
              <span className="min-w-0 truncate" title={name}>
                {name}
              </span>
              <ShareBar share={counted / report.totals.counted} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

interface TopKey {
  readonly id: string;
  readonly name: string;
  readonly counted: number;
}

const playground = 'playground';

/** Playground requests are reported under each user's id, without a key's name. Here they are one row. */
function topKeys({ keys }: UsageReport): TopKey[] {
  const byId = new Map<string, TopKey>();
  for (const { key_id, name, counted } of keys) {
    const id = name === null ? playground : key_id;
    const before = byId.get(id)?.counted ?? 0;
    byId.set(id, { id, name: name ?? 'Playground', counted: before + counted });
  }
  return [...byId.values()]
    .filter(({ counted }) => counted > 0)
    .sort((a, b) => b.counted - a.counted)
    .slice(0, shown);
}
