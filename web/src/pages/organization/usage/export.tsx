import { Download } from 'lucide-react';
import { daysOf } from '../../../api/usage.ts';
import { base } from '../../../lib/base.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuLink } from '../../../ui/menu.tsx';

interface Props {
  period: string;
  /** Undefined for all keys. */
  keyId: string | undefined;
}

/** The days of the selected key, or of each key, as a file. */
export function Export({ period, keyId }: Props) {
  const { org_id: orgId } = useOrganization();
  const query = { ...daysOf(period), ...(keyId && { key_id: keyId }) };
  return (
    <Menu
      trigger={
        <Button look="quiet">
          <Download aria-hidden />
          <span className="max-sm:sr-only">Export</span>
        </Button>
      }
    >
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
