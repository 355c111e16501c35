import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { keysQuery } from '../../../api/keys.ts';
import { firstMembersQuery, type KeysTo, type Member } from '../../../api/members.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { SelectField } from '../../../ui/field.tsx';

interface Props {
  of: Member;
  value: KeysTo;
  onChange: (value: KeysTo) => void;
}

/** Lists the active keys of a member who leaves, and asks what happens to them. Empty if there are none. */
export function KeysOfLeaver({ of: { user_id: userId }, value, onChange }: Props) {
  const { org_id: orgId, may } = useOrganization();
  const keys = useInfiniteQuery(keysQuery(orgId, { user_id: userId, status: 'active' }));
  const mayGive = may.includes('keys.change-any');
  const members = useQuery({ ...firstMembersQuery(orgId), enabled: mayGive });
  const rows = keys.data?.rows ?? [];
  if (rows.length === 0 || !may.includes('keys.replace-own')) return null;
  const others = (members.data ?? []).filter((member) => member.user_id !== userId);
  const gifts = others.map(({ user_id, email }) => [user_id, `Give them to ${email}`]);
  return (
    <>
      <ul aria-label="API keys" className="list-disc pl-5">
        {rows.map(({ key_id, name, hint }) => (
          <li key={key_id}>
            {name} <code>{hint}</code>
          </li>
        ))}
        {keys.hasNextPage && <li>and more</li>}
      </ul>
      <SelectField
        label="What happens to these API keys"
        options={{ keep: 'They keep working', revoke: 'Revoke them', ...Object.fromEntries(gifts) }}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
