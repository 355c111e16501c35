import { daysOf } from '../../../api/usage.ts';
import { base } from '../../../lib/base.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Menu, MenuLink } from '../../../ui/menu.tsx';
import { ExportButton } from './export-button.tsx';

interface Props {
  period: string;
  /** Undefined for all keys. */
  keyId: string | undefined;
}

/** The days of the selected key, or of each key, as a file. */
export default function Export({ period, keyId }: Props) {
  const { org_id: orgId } = useOrganization();
  const query = { ...daysOf(period), ...(keyId && { key_id: keyId }) };
  return (
    <Menu trigger={<ExportButton />}>
      {(['csv', 'json'] as const).map((format) => (
        <MenuLink key={format}>
          <a
            aria-label={`Export as ${format.toUpperCase()}`}
            href={`${base}/v1/organizations/${orgId}/usage/export?${new URLSearchParams({ ...query, format })}`}
            download
          >
            {format.toUpperCase()}
          </a>
        </MenuLink>
      ))}
    </Menu>
  );
}
