import { formatSimilarity, heatOf, type Matrix } from './similarity.ts';

interface Props {
  labels: readonly string[];
  similarities: Matrix;
}

/** A table that shows the similarity of each pair of texts, and colors its cells. */
export function HeatMap({ labels, similarities }: Props) {
  // The same text may appear twice.
  const texts = labels.map((label, place) => ({ id: `${place} ${label}`, number: place + 1, label }));
  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the arrow keys */}
      <section className="overflow-x-auto" aria-label="Similarity matrix" tabIndex={0}>
        <table className="border-separate border-spacing-0.5">
          <caption className="sr-only">Cosine similarity of each text with each other</caption>
          <thead>
            <tr>
              <td />
              {texts.map(({ id, number, label }) => (
                <th key={id} scope="col" className="px-1 font-medium text-muted" title={label}>
                  {number}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {texts.map(({ id, number, label }, row) => (
              <tr key={id}>
                <th
                  scope="row"
                  className="max-w-36 truncate pr-2 text-left font-normal sm:max-w-md"
                  title={label}
                >
                  <span className="text-muted">{number}</span> {label}
                </th>
                {texts.map((other, column) => {
                  const similarity = similarities[row]?.[column] ?? 0;
                  return (
                    <td
                      key={other.id}
                      className="size-12 min-w-12 rounded-md text-center tabular-nums"
                      style={{ background: heatOf(similarity) }}
                    >
                      {formatSimilarity(similarity)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="flex flex-wrap items-center gap-2 text-muted text-xs">
        0 unrelated
        <span
          aria-hidden
          className="h-2 w-24 rounded-full"
          style={{ background: `linear-gradient(to right, ${heatOf(0)}, ${heatOf(1)})` }}
        />
        1 identical
      </p>
    </div>
  );
}
