import type { AuditEntry } from '../../../api/audit.ts';
import { formatInstant } from '../../../lib/format.ts';
import type { AddressSearch } from '../../../lib/use-address.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyValue } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { actionText, actors, actorText, changesOf } from './audit-text.ts';

interface Props {
  entry: AuditEntry;
  /** Shows only the entries that have something in common with this one. */
  onNarrow: (to: AddressSearch) => void;
  onClose: () => void;
}

/** Everything that the log has about a change. */
export function EntrySheet({ entry, onNarrow, onClose }: Props) {
  const { action, actor_id: actor, target_id: target, target_name, address, request_id } = entry;
  const [by, kind] = [actorText(entry), actors[entry.actor_kind]];
  const ways = { 'Same action': { action }, 'Same actor': { actor }, 'Same target': { target } };
  return (
    <Dialog look="side" title={actionText(action)} onClose={onClose}>
      <Facts
        facts={{
          Time: formatInstant(entry.at),
          By: by === kind ? by : `${by} (${kind})`,
          Organization: entry.org_name,
          Target: target_name,
          'Target ID': target && <CopyValue value={target} name="target ID" />,
          From: address,
          'Request ID': request_id && <CopyValue value={request_id} name="request ID" />,
          ...Object.fromEntries(changesOf(entry)),
        }}
      />
      <div className="flex flex-wrap gap-2">
        {Object.entries(ways).map(([name, to]) =>
          Object.values(to).includes(null) ? null : (
            <Button key={name} onClick={() => onNarrow(to as AddressSearch)}>
              {name}
            </Button>
          ),
        )}
      </div>
    </Dialog>
  );
}
