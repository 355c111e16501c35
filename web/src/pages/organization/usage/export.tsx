import { daysOf } from '../../../api/usage.ts';
import { buttonLook } from '../../../ui/button.tsx';

interface Props {
  orgId: string;
  period: string;
  /** Undefined for all keys. */
  keyId: string | undefined;
}

/** The days of the selected key, or of each key, as a file. */
export function Export({ orgId, period, keyId }: Props) {
  const query = { ...daysOf(period), ...(keyId && { key_id: keyId }) };
  return (['csv', 'json'] as const).map((format) => (
    <a
      key={format}
      className={buttonLook()}
      aria-label={`Export as ${format.toUpperCase()}`}
      href={`/v1/organizations/${orgId}/usage/export?${new URLSearchParams({ ...query, format })}`}
      download
    >
      {format.toUpperCase()}
    </a>
  ));
}
