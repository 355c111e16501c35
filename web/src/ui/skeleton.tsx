/** A placeholder for lines of text. */
export function SkeletonRows({ rows = 3 }: { rows?: number }) {
  const keys = Array.from({ length: rows }, (_, row) => row);
  return (
    <div aria-hidden className="grid gap-3">
      {keys.map((row) => (
        <div key={row} className="h-8 animate-pulse rounded-md bg-raised" />
      ))}
    </div>
  );
}

/** A placeholder for a chart or a block, with a height in rem. */
export function SkeletonBlock({ height }: { height: number }) {
  return (
    <div aria-hidden className="animate-pulse rounded-md bg-raised" style={{ height: `${height}rem` }} />
  );
}

/** A placeholder for a whole page: its bar, and what is below. */
export function SkeletonPage() {
  return (
    <div aria-hidden>
      <div className="flex h-12 items-center border-line border-b px-4 lg:px-6">
        <div className="h-5 w-32 animate-pulse rounded-md bg-raised" />
      </div>
      <div className="mx-auto grid max-w-360 gap-8 px-4 py-5 lg:px-6">
        <div className="h-16 w-2/3 animate-pulse rounded-md bg-raised" />
        <SkeletonBlock height={18} />
        <SkeletonRows rows={6} />
      </div>
    </div>
  );
}
