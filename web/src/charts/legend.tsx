import { type Kind, kindOrder, kinds } from './kinds.ts';

export function Legend() {
  return (
    <ul className="flex flex-wrap justify-center gap-x-4 gap-y-1">
      {kindOrder.map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <Swatch kind={kind} />
          {kinds[kind].name}
        </li>
      ))}
    </ul>
  );
}

/** How the bars of a chart show a kind of requests. */
export function Swatch({ kind }: { kind: Kind }) {
  const { fill, edge } = kinds[kind];
  return (
    <svg aria-hidden width="12" height="12">
      <rect x="0.5" y="0.5" width="11" height="11" style={{ fill, stroke: edge }} />
    </svg>
  );
}
