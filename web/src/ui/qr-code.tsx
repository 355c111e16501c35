import { encode } from 'uqr';

/** Black on white in dark mode too, because not every camera reads the inverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="size-48 rounded-md bg-white"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
