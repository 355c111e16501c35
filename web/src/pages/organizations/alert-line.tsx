import { Link } from '@tanstack/react-router';
import type { Alert } from '../../api/alerts.ts';
import { type AlertLook, alertLook, alertTitle, openAlerts } from '../organization/alerts/alert-text.ts';

const looks: Readonly<Record<AlertLook, string>> = {
  plain: 'bg-raised',
  warning: 'bg-warning-soft',
  danger: 'bg-danger-soft',
};

interface Props {
  orgId: string;
  name: string;
  /** Undefined while they are loading. */
  alerts: readonly Alert[] | undefined;
  /** Whether requests are currently refused. */
  isOverQuota: boolean;
}

/** The most severe alert that nobody has acknowledged yet, with a link to all of them. */
export function AlertLine({ orgId, name, alerts, isOverQuota }: Props) {
  const [worst, ...others] = openAlerts(alerts ?? []);
  const look = isOverQuota ? looks.danger : worst ? looks[alertLook(worst)] : '';
  return (
    <footer
      className={`flex min-h-14 items-center justify-between gap-4 border-line border-t px-4 py-2 sm:min-h-11 ${look}`}
    >
      {worst ? (
        <p>
          <span className="font-medium">{alertTitle(worst)}</span>
          {others.length > 0 && `, and ${others.length} more open`}
        </p>
      ) : isOverQuota ? (
        <p className="font-medium">Over quota: requests are refused until the reset</p>
      ) : (
        <p className="text-muted">{alerts ? 'No open alerts' : 'Alerts are loading…'}</p>
      )}
      <Link to="/organizations/$orgId/alerts" params={{ orgId }} className="shrink-0 underline">
        Alerts<span className="sr-only"> of {name}</span>
      </Link>
    </footer>
  );
}
