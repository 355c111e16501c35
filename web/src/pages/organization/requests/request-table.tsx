import type { LoggedRequest } from '../../../api/requests.ts';
import { formatCount, formatLatency, formatMoment, formatTime } from '../../../lib/format.ts';
import { OutcomeMark } from './outcome.tsx';

interface Props {
  requests: readonly LoggedRequest[];
  nameOf: (request: LoggedRequest) => string;
  /** Identifiers of rows that have just arrived. */
  fresh?: ReadonlySet<string>;
  onOpen: (request: LoggedRequest) => void;
}

const heads = ['Time', 'Outcome', 'Key', 'Model', 'Texts', 'Tokens', 'Latency', 'Request ID'];
const numeric = new Set(['Texts', 'Tokens', 'Latency']);
/** On a phone: when, how it ended, with which key, and how long it took. */
const always = new Set(['Time', 'Outcome', 'Key', 'Latency']);
const hiddenLook = (name: string): string => (always.has(name) ? '' : 'max-md:hidden');

/** Requests, one in each row. A row opens its details. */
export function RequestTable({ requests, nameOf, fresh, onOpen }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the arrow keys
    <section className="min-w-0 overflow-x-auto" aria-label="Requests, table" tabIndex={0}>
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">Requests</caption>
        <thead>
          <tr className="bg-sunken text-muted text-xs">
            {heads.map((name) => (
              <th
                key={name}
                scope="col"
                className={`h-8 px-3 font-medium whitespace-nowrap first:rounded-l-md last:rounded-r-md ${numeric.has(name) ? 'text-right' : ''} ${hiddenLook(name)}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {requests.map((request) => {
            const { entry_id, at, model, texts, tokens, latency_ms, request_id } = request;
            const cells = [
              <button
                key="time"
                type="button"
                title={formatMoment(at)}
                className="font-mono text-xs hover:underline"
                onClick={() => onOpen(request)}
              >
                {formatTime(at)}
              </button>,
              <OutcomeMark key="outcome" request={request} />,
              <span key="key" className="block w-24 truncate md:w-40">
                {nameOf(request)}
              </span>,
              <span key="model" className="block max-w-48 truncate text-muted" title={model ?? undefined}>
                {model ?? '–'}
              </span>,
              formatCount(texts),
              formatCount(tokens),
              formatLatency(latency_ms),
              <code
                key="id"
                className="block max-w-40 truncate font-mono text-muted text-xs"
                title={request_id}
              >
                {request_id}
              </code>,
            ];
            return (
              <tr
                key={entry_id}
                // A mouse may click anywhere in the row; the keyboard has the button.
                onClick={() => onOpen(request)}
                className={`cursor-pointer hover:bg-sunken ${fresh?.has(entry_id) ? 'animate-flash' : ''}`}
              >
                {cells.map((cell, column) => (
                  <td
                    key={heads[column]}
                    className={`h-10 px-3 whitespace-nowrap ${numeric.has(heads[column]!) ? 'text-right tabular-nums' : ''} ${hiddenLook(heads[column]!)}`}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
