import { formatSimilarity, heatOf, type Matrix } from './similarity.ts';

interface Props {
  labels: readonly string[];
  similarities: Matrix;
}

/** How alike each text is to each other, as a table that colours its cells. */
export function HeatMap({ labels, similarities }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
    <section className="overflow-x-auto" aria-label="Similarity matrix" tabIndex={0}>
      <table className="border-separate border-spacing-0.5">
        <caption className="sr-only">Cosine similarity of each text with each other</caption>
        <thead>
          <tr>
            <td />
            {labels.map((label, column) => (
              <th key={label} scope="col" className="px-1 font-medium text-muted" title={label}>
                {column + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, row) => (
            <tr key={label}>
              <th
                scope="row"
                className="max-w-40 truncate pr-2 text-left font-normal sm:max-w-64"
                title={label}
              >
                <span className="text-muted">{row + 1}</span> {label}
              </th>
              {similarities[row]?.map((similarity, column) => (
                <td
                  key={labels[column]}
                  className="size-12 min-w-12 rounded text-center tabular-nums"
                  style={{ background: heatOf(similarity) }}
                >
                  {formatSimilarity(similarity)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
