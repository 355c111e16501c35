import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { keyQuery } from '../../../api/keys.ts';
import type { LoggedRequest } from '../../../api/requests.ts';
import { formatCount, formatLatency, formatMoment, formatTime } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { mostAsked, usePersonName } from '../../../lib/use-person-name.ts';
import { type Row, row, Table } from '../../../ui/table.tsx';
import { OutcomeMark } from './outcome.tsx';
import { RequestSheet } from './request-sheet.tsx';

interface Props {
  requests: readonly LoggedRequest[];
  /** Identifiers of rows that have just arrived. */
  fresh?: ReadonlySet<string>;
}

const columns = [
  'Time',
  'Outcome',
  { name: 'Key', isFlexible: true },
  { name: 'Model', isExtra: true },
  { name: 'Texts', numeric: true },
  { name: 'Tokens', numeric: true, isExtra: true },
  { name: 'Latency', numeric: true },
  { name: 'Request ID', isExtra: true },
];

/** Requests, one in each row. A row opens its details. */
export function RequestTable({ requests, fresh }: Props) {
  const nameOf = useRequestName(requests);
  const [opened, open] = useState<LoggedRequest | null>(null);
  const rowOf = (request: LoggedRequest): Row => ({
    onOpen: () => open(request),
    isFresh: fresh?.has(request.entry_id) ?? false,
    ...row(
      request.entry_id,
      <button
        type="button"
        title={formatMoment(request.at)}
        className="font-mono text-xs hover:underline"
        onClick={() => open(request)}
      >
        {formatTime(request.at)}
      </button>,
      <OutcomeMark request={request} />,
      <span className="block truncate sm:w-24 md:w-40">{nameOf(request)}</span>,
      <span className="block max-w-48 truncate text-muted" title={request.model ?? undefined}>
        {request.model ?? '–'}
      </span>,
      formatCount(request.texts),
      formatCount(request.tokens),
      formatLatency(request.latency_ms),
      <code className="block max-w-40 truncate font-mono text-muted text-xs">{request.request_id}</code>,
    ),
  });
  return (
    <>
      <Table caption="Requests" columns={columns} rows={requests.map(rowOf)} />
      {opened && <RequestSheet request={opened} name={nameOf(opened)} onClose={() => open(null)} />}
    </>
  );
}

/** Returns the name of the key that sent a request, or of the person. */
function useRequestName(requests: readonly LoggedRequest[]) {
  const { org_id: orgId } = useOrganization();
  const keyIds = [...new Set(requests.flatMap(({ key_id }) => key_id ?? []))].slice(0, mostAsked);
  const keys = useQueries({
    queries: keyIds.map((keyId) => ({ ...keyQuery(orgId, keyId), staleTime: 60_000 })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const personName = usePersonName(requests.map(({ user_id }) => user_id));
  return ({ key_id, user_id }: LoggedRequest): string => {
    if (key_id !== null) return keys.find((key) => key.key_id === key_id)?.name ?? key_id;
    return personName(user_id) ?? 'Playground';
  };
}
