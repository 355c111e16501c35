import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useContext } from 'react';
import { type AuditEntry, type AuditFilter, auditQuery } from '../../../api/audit.ts';
import { isStatus } from '../../../api/problem.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { base } from '../../../lib/base.ts';
import { formatMoment } from '../../../lib/format.ts';
import { type AddressSearch, useAddress, useOpened } from '../../../lib/use-address.ts';
import { OrganizationId } from '../../../lib/use-organization.ts';
import { Empty } from '../../../ui/empty.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Opened } from '../../../ui/opened.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Row, row, Table } from '../../../ui/table.tsx';
import { NotFound } from '../../not-found.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { actorText, sentenceOf } from './audit-text.ts';
import { EntrySheet } from './entry-sheet.tsx';

/** The audit log of an organization or, on a page of none, that of the installation with sign-ins. */
export default function Audit() {
  const orgId = useContext(OrganizationId);
  const [{ open: _open, ...search }, change] = useAddress();
  const [openedId, open, close] = useOpened();
  const chosen = Object.entries(search).filter(([, value]) => value) as [string, string][];
  const filter: AuditFilter = Object.fromEntries(chosen);
  const list = useInfiniteQuery({ ...auditQuery(orgId, filter), placeholderData: keepPreviousData });
  const listed = list.data?.rows.find(({ entry_id }) => entry_id === openedId);
  const other = useInfiniteQuery({
    ...auditQuery(orgId, { entry_id: openedId }),
    enabled: openedId !== undefined && !listed,
  });
  if (isStatus(list.error, 403)) return <NotFound />;
  const narrow = (to: AddressSearch) => change({ ...to, open: undefined }, { replace: false });
  const nameOf = (id: string): string => {
    const [entry] =
      list.data?.rows.filter(({ actor_id, target_id }) => [actor_id, target_id].includes(id)) ?? [];
    return (entry?.actor_id === id ? entry.actor_name : entry?.target_name) ?? id;
  };
  const Frame = orgId ? OrganizationPage : Page;
  return (
    <Frame
      title="Audit log"
      actions={
        orgId && (
          <a
            className="inline-flex h-8 items-center gap-2 rounded-md px-2.5 hover:bg-raised"
            href={`${base}/v1/organizations/${orgId}/audit/export?${new URLSearchParams(chosen)}`}
            download
          >
            <Download aria-hidden className="size-4" />
            Export
          </a>
        )
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <AuditFilters search={search} onChange={narrow} nameOf={nameOf} />
        <LoadMore query={list} name="entries" rows={10}>
          {(entries) =>
            entries.length === 0 ? (
              <Empty title={chosen.length > 0 ? 'No entry matches the filters.' : 'No entries yet.'} />
            ) : (
              <Table
                caption="Audit log"
                columns={['What happened', ...(orgId ? [] : ['Organization']), 'Time']}
                rows={entries.map((entry) => rowOf(entry, () => open(entry.entry_id), orgId))}
              />
            )
          }
        </LoadMore>
      </div>
      <Opened id={openedId} what="entry" row={listed ?? other.data?.rows[0]} query={other} onClose={close}>
        {(opened) => <EntrySheet entry={opened} onNarrow={narrow} onClose={close} />}
      </Opened>
    </Frame>
  );
}

function rowOf(entry: AuditEntry, onOpen: () => void, orgId: string): Row {
  const { entry_id, at, org_id, org_name } = entry;
  const time = (
    <button type="button" className="text-xs hover:underline" onClick={onOpen}>
      {formatMoment(at)}
    </button>
  );
  const organization = org_name && (
    <Link
      to={`/organizations/${org_id}/audit`}
      title={org_name}
      className="block max-w-48 truncate hover:underline"
    >
      {org_name}
    </Link>
  );
  return { onOpen, ...row(entry_id, <Sentence entry={entry} />, ...(orgId ? [] : [organization]), time) };
}

/** Marks where a name begins and ends. */
const mark = '\0';

/** What an entry says, such as `Ann set 1,000 requests per day for crawler`, and the fields that it leaves out. */
function Sentence({ entry }: { entry: AuditEntry }) {
  const { text, changes } = sentenceOf(entry);
  const name = `${mark}${entry.target_name ?? entry.target_id ?? ''}${mark}`;
  // The name of a limit ends with the name of whose limit it is.
  const target = entry.action.startsWith('limit.') ? name.replace(/^.(.* for )/s, `$1${mark}`) : name;
  const parts = `${mark}${actorText(entry)}${mark} ${text.replace('*', () => target)}`.split(mark);
  return (
    <span className="block max-sm:wrap-anywhere sm:truncate print:whitespace-normal">
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
        <bdi key={place} className={place % 2 === 1 ? 'font-medium' : undefined}>
          {part}
        </bdi>
      ))}
      {changes && <span className="text-muted"> · {changes}</span>}
    </span>
  );
}
