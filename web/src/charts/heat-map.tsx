import { formatSimilarity, heatOf, leastOf, type Matrix } from './similarity.ts';

interface Props {
  labels: readonly string[];
  similarities: Matrix;
  /** The places of the texts, in the order to show them. */
  order: readonly number[];
}

/** From more texts on, a cell is too small for a figure. */
const mostFigures = 12;

/**
 * A table that shows the similarity of each pair of texts, and colors its cells. Cells shrink with the number of
 * texts.
 */
export function HeatMap({ labels, similarities, order }: Props) {
  const texts = order.map((place) => ({ place, number: place + 1, label: labels[place] ?? '' }));
  const hasFigures = texts.length <= mostFigures;
  const size = hasFigures ? 'h-10 w-12' : 'size-4';
  const least = leastOf(similarities);
  return (
    <div className="grid grid-cols-1 gap-3">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the arrow keys */}
      <section className="overflow-x-auto" aria-label="Similarity matrix" tabIndex={0}>
        <table className="border-separate border-spacing-px">
          <caption className="sr-only">Cosine similarity of each text with each other</caption>
          <thead>
            <tr>
              <td />
              {texts.map(({ place, number, label }) => (
                <th key={place} scope="col" className="px-px font-medium text-muted text-xs" title={label}>
                  {hasFigures ? number : <span className="sr-only">{number}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {texts.map(({ place: row, number, label }) => (
              <tr key={row}>
                <th
                  scope="row"
                  className="max-w-36 truncate pr-2 text-left font-normal leading-4 sm:max-w-56"
                  title={label}
                >
                  <span className="text-muted text-xs">{number}</span> {label}
                </th>
                {texts.map((other) => {
                  const similarity = similarities[row]?.[other.place] ?? 0;
                  return (
                    <td
                      key={other.place}
                      title={`${number} and ${other.number}: ${formatSimilarity(similarity)}\n${label}\n${other.label}`}
                      className={`is-data rounded-sm text-center text-xs tabular-nums ${size}`}
                      style={{ background: heatOf(similarity, least) }}
                    >
                      <span className={hasFigures ? '' : 'sr-only'}>{formatSimilarity(similarity)}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="flex flex-wrap items-center gap-2 text-muted text-xs">
        {least <= 0 ? '0 unrelated' : `${formatSimilarity(least)} least similar`}
        <span
          aria-hidden
          className="is-data h-2 w-24 rounded-full"
          style={{ background: `linear-gradient(to right, ${heatOf(least, least)}, ${heatOf(1, least)})` }}
        />
        1 identical
      </p>
    </div>
  );
}
