import type { ServiceFigure } from '../../api/service.ts';
import { formatAgo, formatBytes, formatCount, formatCountdown, formatLatency } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table } from '../../ui/table.tsx';

/** Figures of the service, each with the name of its metric for an alarm. */
export function HealthTable({ service }: { service: readonly ServiceFigure[] }) {
  return (
    <Table
      caption="Health"
      columns={['What', { name: 'Now', numeric: true }, 'Metric']}
      rows={service.map((figure) => ({
        key: figure.name,
        cells: [
          <span key="name" className="font-medium">
            {nameOf(figure.name)}
          </span>,
          <Value key="value" figure={figure} />,
          figure.metric === null ? (
            '–'
          ) : (
            <code key="metric" className="font-mono text-muted text-xs">
              {figure.metric}
            </code>
          ),
        ],
      }))}
    />
  );
}

/** Returns `Queue texts` for `queue_texts`. */
function nameOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Value({ figure: { value, unit } }: { figure: ServiceFigure }) {
  if (value === null) return <span className="text-muted">Not known</span>;
  if (typeof value === 'boolean') {
    return <Badge look={value ? 'success' : 'danger'}>{value ? 'Yes' : 'No'}</Badge>;
  }
  if (typeof value === 'string')
    return Number.isNaN(Date.parse(value)) || !/^\d{4}-/.test(value) ? value : formatAgo(value);
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 's') return value < 60 ? formatLatency(value * 1_000) : formatCountdown(value * 1_000, 0);
  if (unit === 'ms') return formatLatency(value);
  return unit === null ? formatCount(value) : `${formatCount(value)} ${unit}`;
}
