import { buttonLook } from '../../../ui/button.tsx';

interface Props {
  orgId: string;
  period: string;
}

/** The report as the API hands it out, to keep. */
export function Export({ orgId, period }: Props) {
  return (['csv', 'json'] as const).map((format) => (
    <a
      key={format}
      className={buttonLook()}
      href={`/v1/organizations/${orgId}/usage?period=${period}&format=${format}`}
      download={`usage-${period}.${format}`}
    >
      {format.toUpperCase()}
    </a>
  ));
}
