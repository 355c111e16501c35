import { daysOf } from '../../../api/usage.ts';
import { buttonLook } from '../../../ui/button.tsx';

interface Props {
  orgId: string;
  period: string;
}

/** Each key's each day, as a file. */
export function Export({ orgId, period }: Props) {
  return (['csv', 'json'] as const).map((format) => (
    <a
      key={format}
      className={buttonLook()}
      aria-label={`Export as ${format.toUpperCase()}`}
      href={`/v1/organizations/${orgId}/usage/export?${new URLSearchParams({ ...daysOf(period), format })}`}
      download
    >
      {format.toUpperCase()}
    </a>
  ));
}
