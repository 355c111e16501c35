import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { type AuditEntry, type AuditFilter, auditQuery } from '../../../api/audit.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { base } from '../../../lib/base.ts';
import { formatMoment } from '../../../lib/format.ts';
import { type AddressSearch, useAddress, useOpened } from '../../../lib/use-address.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Opened } from '../../../ui/opened.tsx';
import { type Row, row, Table } from '../../../ui/table.tsx';
import { actionText, actorText, changesOf } from './audit-text.ts';
import { EntrySheet } from './entry-sheet.tsx';

const columns = ['Time', 'Action', 'Target', { name: 'Change', isFlexible: true }, 'By'];

/** The audit log of the organization. */
export default function Audit() {
  const { org_id: orgId } = useOrganization();
  const [{ action, actor, target }, change] = useAddress();
  const [openedId, open, close] = useOpened();
  const chosen = Object.entries({ action, actor, target }).filter(([, value]) => value);
  const filter: AuditFilter = Object.fromEntries(chosen);
  const isFiltered = chosen.length > 0;
  const list = useInfiniteQuery({ ...auditQuery(orgId, filter), placeholderData: keepPreviousData });
  const listed = list.data?.rows.find(({ entry_id }) => entry_id === openedId);
  const other = useInfiniteQuery({
    ...auditQuery(orgId, { entry_id: openedId }),
    enabled: openedId !== undefined && !listed,
  });
  const narrow = (to: AddressSearch) => change({ ...to, open: undefined }, { replace: false });
  return (
    <OrganizationPage
      title="Audit log"
      actions={
        <a
          className="inline-flex h-8 items-center gap-2 rounded-md px-2.5 hover:bg-raised"
          href={`${base}/v1/organizations/${orgId}/audit/export?${new URLSearchParams(chosen as string[][])}`}
          download
        >
          <Download aria-hidden className="size-4" />
          Export
        </a>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        {isFiltered && (
          <Button
            look="quiet"
            className="justify-self-start"
            onClick={() => narrow({ action: undefined, actor: undefined, target: undefined })}
          >
            Show all entries
            <X aria-hidden />
          </Button>
        )}
        <LoadMore query={list} name="entries" rows={10}>
          {(entries) =>
            entries.length === 0 ? (
              <Empty title={isFiltered ? 'No entry matches the filter.' : 'No entries yet.'} />
            ) : (
              <Table
                caption="Audit log"
                columns={columns}
                rows={entries.map((entry) => rowOf(entry, () => open(entry.entry_id)))}
              />
            )
          }
        </LoadMore>
      </div>
      <Opened id={openedId} what="entry" row={listed ?? other.data?.rows[0]} query={other} onClose={close}>
        {(opened) => <EntrySheet entry={opened} onNarrow={narrow} onClose={close} />}
      </Opened>
    </OrganizationPage>
  );
}

function rowOf(entry: AuditEntry, onOpen: () => void): Row {
  // The entry itself shows identifiers too.
  const changes = changesOf(entry).flatMap(([field, values]) =>
    field.endsWith(' id') ? [] : [`${field}: ${values}`],
  );
  const cut = (text: string, width: string) => (
    <span dir="auto" className={`block truncate ${width}`} title={text}>
      {text}
    </span>
  );
  const target = cut(entry.target_name ?? entry.target_id ?? '', 'max-w-48 sm:max-xl:max-w-20');
  const actor = cut(actorText(entry), 'max-w-48 sm:max-xl:max-w-20');
  // The flexible column has the rest of the width.
  const change = cut(changes.join(', '), '');
  const time = (
    <button type="button" className="text-xs hover:underline" onClick={onOpen}>
      {formatMoment(entry.at)}
    </button>
  );
  return { onOpen, ...row(entry.entry_id, time, actionText(entry.action), target, change, actor) };
}
