/** A placeholder for lines of text. */
export function SkeletonRows({ rows = 3 }: { rows?: number }) {
  const keys = Array.from({ length: rows }, (_, row) => row);
  return (
    <div aria-hidden className="grid gap-3">
      {keys.map((row) => (
        <div key={row} className="h-9 animate-pulse rounded bg-raised" />
      ))}
    </div>
  );
}

/** A placeholder for a chart or a block, with a height in rem. */
export function SkeletonBlock({ height }: { height: number }) {
  return <div aria-hidden className="animate-pulse rounded bg-raised" style={{ height: `${height}rem` }} />;
}
