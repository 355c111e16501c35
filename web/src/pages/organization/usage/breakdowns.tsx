import type { UsageReport } from '../../../api/usage.ts';
import { formatChange, formatCount } from '../../../lib/format.ts';
import { type KeyShare, useKeyName } from '../../../lib/use-person-name.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ShareBar } from '../../../ui/bar.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { ShowMore } from '../../../ui/show-more.tsx';
import { type Row, RowName, row, Table } from '../../../ui/table.tsx';

const figure = (name: string) => ({ name, numeric: true });
const keyColumns = ['Key', ...['Counted', 'Share', 'Change', 'Cached', 'Failed', 'Tokens'].map(figure)];

export function KeyBreakdown({ report: { keys } }: { report: UsageReport }) {
  const nameOf = useKeyName(keys);
  if (keys.length === 0) return <Empty title="No key was used in this period." />;
  return (
    <>
      <ShowMore items={keys} name="keys">
        {(shown) => (
          <Table
            caption="Usage by key"
            columns={keyColumns}
            rows={shown.map((key) => keyRow(key, nameOf(key)))}
          />
        )}
      </ShowMore>
      <p className="pt-3 text-muted">Change vs. previous period, in counted requests.</p>
    </>
  );
}

function keyRow(key: KeyShare, name: string): Row {
  const { key_id, hint, status, counted, share, trend, cached, failed, tokens } = key;
  const more = (
    <>
      {hint ? <code>{hint}</code> : 'playground'} {status === 'revoked' && <Badge>revoked</Badge>}
    </>
  );
  return row(
    key_id,
    <RowName name={name} more={more} />,
    formatCount(counted),
    share === null ? '–' : <ShareBar share={share} />,
    trend === null ? '–' : formatChange(trend),
    ...[cached, failed, tokens].map(formatCount),
  );
}

const modelColumns = ['Model', ...['Counted', 'Cached', 'Failed', 'Texts', 'Tokens'].map(figure)];

export function ModelBreakdown({ report: { models } }: { report: UsageReport }) {
  if (models.length === 0) return <Empty title="No model was used in this period." />;
  return (
    <>
      <ShowMore items={models} name="models">
        {(shown) => <Table caption="Usage by model" columns={modelColumns} rows={shown.map(modelRow)} />}
      </ShowMore>
      {models.some(({ model }) => model === null) && (
        <p className="pt-3 text-muted">
          Unknown: requests that failed before they named a served model, or that were recorded before version
          0.3.
        </p>
      )}
    </>
  );
}

function modelRow({ model, counted, cached, failed, texts, tokens }: UsageReport['models'][number]): Row {
  return row(
    model ?? '',
    <RowName name={model ?? 'Unknown'} />,
    ...[counted, cached, failed, texts, tokens].map(formatCount),
  );
}
