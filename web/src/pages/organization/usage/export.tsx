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
      {Object.entries({ CSV: 'excel', JSON: 'json' }).map(([name, format]) => (
        <MenuLink key={format}>
          <a
            aria-label={`Export as ${name}`}
            href={`${base}/v1/organizations/${orgId}/usage/export?${new URLSearchParams({ ...query, format })}`}
            download
          >
            {name}
          </a>
        </MenuLink>
      ))}
    </Menu>
  );
}
