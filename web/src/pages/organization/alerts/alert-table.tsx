import { useQuery } from '@tanstack/react-query';
import {
  type Alert,
  type AlertSettings,
  acknowledgeAlert,
  acknowledgeAlerts,
  alertSettingsQuery,
  allAlertsOf,
  openAlertsQuery,
} from '../../../api/alerts.ts';
import { useSave } from '../../../api/use-save.ts';
import { formatMoment } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { usePersonName } from '../../../lib/use-person-name.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { type Row, row, Table } from '../../../ui/table.tsx';
import { ProblemToast } from '../../../ui/toast.tsx';
import { alertLook, alertStanding, alertTitle, openAlerts, passedBefore } from './alert-text.ts';

const columns = ['Alert', 'Acknowledged'];

/** With `settings`, each alert says which lower thresholds were passed. */
export function AlertTable({
  alerts,
  settings,
}: {
  alerts: readonly Alert[];
  settings?: AlertSettings | undefined;
}) {
  const { org_id: orgId, may } = useOrganization();
  const nameOf = usePersonName(alerts.map(({ acknowledged_by }) => acknowledged_by));
  const acknowledge = useSave((id: string) => acknowledgeAlert(orgId, id), [allAlertsOf(orgId)]);
  if (alerts.length === 0) {
    return (
      <Empty title="There have been no alerts yet.">
        An alert is raised when usage reaches a threshold below, once per window, when the quota is about to
        run out before its reset, or when a key is about to expire.
      </Empty>
    );
  }
  const rowOf = (alert: Alert): Row => {
    const { alert_id, acknowledged_at, acknowledged_by, is_current } = alert;
    const by = nameOf(acknowledged_by) ?? acknowledged_by ?? 'a higher threshold';
    const passed = settings && passedBefore(alert, settings);
    const mayAct = may.includes('alerts.acknowledge') && is_current && acknowledged_at === null;
    return row(
      alert_id,
      <span className="flex flex-wrap items-center gap-x-1.5">
        <Badge look={is_current ? alertLook(alert) : 'plain'}>{alertTitle(alert)}</Badge>
        <span className="text-muted">
          · {alertStanding(alert)}
          {passed && ` · ${passed}`}
        </span>
      </span>,
      acknowledged_at ? (
        <span title={formatMoment(acknowledged_at)}>by {by}</span>
      ) : (
        mayAct && (
          <Button
            aria-label={`Acknowledge: ${alertTitle(alert)}`}
            onClick={() => acknowledge.mutate(alert_id)}
          >
            Acknowledge
          </Button>
        )
      ),
    );
  };
  return (
    <div className="grid gap-4">
      <ProblemToast error={acknowledge.error} onClose={acknowledge.reset} />
      <Table caption="Alerts" columns={columns} rows={alerts.map(rowOf)} />
    </div>
  );
}

/** The alerts of current windows that nobody has acknowledged yet. */
export function OpenAlerts() {
  const { org_id: orgId, may } = useOrganization();
  const query = useQuery(openAlertsQuery(orgId));
  const { data: settings } = useQuery(alertSettingsQuery(orgId));
  const acknowledge = useSave(
    (alerts: readonly Alert[]) =>
      acknowledgeAlerts(
        orgId,
        alerts.map(({ alert_id }) => alert_id),
      ),
    [allAlertsOf(orgId)],
  );
  return (
    <div className="grid gap-4">
      <ProblemToast error={acknowledge.error} onClose={acknowledge.reset} />
      <Loaded query={query} placeholder={<SkeletonRows />}>
        {(alerts) => {
          const open = openAlerts(alerts);
          if (open.length === 0) return <Empty title="No open alerts." />;
          return (
            <>
              {open.length > 1 && may.includes('alerts.acknowledge') && (
                <Button
                  className="justify-self-end"
                  pending={acknowledge.isPending}
                  onClick={() => acknowledge.mutate(open)}
                >
                  Acknowledge all
                </Button>
              )}
              <AlertTable alerts={open} settings={settings} />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
