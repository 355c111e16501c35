import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type LoggedRequest, requestsQuery } from '../../../api/requests.ts';
import { formatCount, formatLatency, formatMoment, formatTime } from '../../../lib/format.ts';
import { useOpened } from '../../../lib/use-address.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { usePersonName } from '../../../lib/use-person-name.ts';
import { Opened } from '../../../ui/opened.tsx';
import { type Row, row, Table } from '../../../ui/table.tsx';
import { OutcomeMark } from './outcome.tsx';
import { RequestSheet } from './request-sheet.tsx';

interface Props {
  requests: readonly LoggedRequest[];
  /** Identifiers of rows that have just arrived. */
  fresh?: ReadonlySet<string>;
  /** They are all of one key, which the page names. */
  isOfKey?: boolean;
  /** Shown if there are none. */
  children: ReactNode;
}

const columns = [
  'Time',
  'Outcome',
  { name: 'Key', isFlexible: true },
  // The first one that there is gets the room.
  { name: 'Model', isExtra: true, isFlexible: true },
  { name: 'Texts', numeric: true },
  { name: 'Tokens', numeric: true, isExtra: true },
  { name: 'Latency', numeric: true },
  { name: 'Request ID', isExtra: true },
];

/** Requests, one in each row. A row opens its details, which have an address: `?open=` with the request's ID. */
export function RequestTable({ requests, fresh, isOfKey = false, children }: Props) {
  const nameOf = useRequestName(requests);
  const [openedId, open, close] = useOpened();
  const { org_id: orgId } = useOrganization();
  const listed = requests.find(({ request_id }) => request_id === openedId);
  const other = useInfiniteQuery({
    ...requestsQuery(orgId, { request_id: openedId }, 1),
    enabled: openedId !== undefined && !listed,
  });
  const openOf = (request: LoggedRequest) => () => open(request.request_id);
  const rowOf = (request: LoggedRequest): Row => ({
    onOpen: openOf(request),
    isFresh: fresh?.has(request.entry_id) ?? false,
    ...row(
      request.entry_id,
      <button
        type="button"
        title={formatMoment(request.at)}
        className="font-mono text-xs hover:underline"
        onClick={openOf(request)}
      >
        {formatTime(request.at)}
      </button>,
      <OutcomeMark request={request} />,
      !isOfKey && (
        <span dir="auto" className="block truncate" title={nameOf(request)}>
          {nameOf(request)}
        </span>
      ),
      <span
        className={`block truncate text-muted ${isOfKey ? '' : 'max-w-48'}`}
        title={request.model ?? undefined}
      >
        {request.model ?? '–'}
      </span>,
      formatCount(request.texts),
      formatCount(request.tokens),
      formatLatency(request.latency_ms),
      <code className="block w-36 whitespace-normal wrap-anywhere font-mono text-muted text-xs">
        {request.request_id}
      </code>,
    ),
  });
  return (
    <>
      {requests.length === 0 ? (
        children
      ) : (
        <Table caption="Requests" columns={columns} rows={requests.map(rowOf)} />
      )}
      <Opened
        id={openedId}
        what="request"
        row={listed ?? other.data?.pages[0]?.data[0]}
        query={other}
        onClose={close}
      >
        {(opened) => <RequestSheet request={opened} name={nameOf(opened)} onClose={close} />}
      </Opened>
    </>
  );
}

/** Returns the name of the key that sent a request, or of the person. */
function useRequestName(requests: readonly LoggedRequest[]) {
  const personName = usePersonName(requests.map(({ user_id }) => user_id));
  return ({ key_id, key_name, user_id }: LoggedRequest): string =>
    key_name ?? key_id ?? personName(user_id) ?? 'Playground';
}
