interface Props {
  values: readonly number[];
  label: string;
}

const width = 96;
const height = 24;

/** A trend without axes, for a row of a table. */
export function Sparkline({ values, label }: Props) {
  const max = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, i) => `${(i * step).toFixed(1)},${(height - 1 - (value / max) * (height - 2)).toFixed(1)}`,
  );
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      <polyline points={points.join(' ')} fill="none" stroke="var(--color-counted)" strokeWidth="1.5" />
    </svg>
  );
}
