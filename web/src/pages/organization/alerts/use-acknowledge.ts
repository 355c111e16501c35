import { useMutation } from '@tanstack/react-query';
import { type Alert, acknowledgeAlert, allAlertsOf } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';

/** Marks alerts as acknowledged for everyone in the organization. */
export function useAcknowledge(orgId: string) {
  return useMutation({
    mutationFn: (alerts: readonly Alert[]) =>
      Promise.all(alerts.map(({ alert_id }) => acknowledgeAlert(orgId, alert_id))),
    onSettled: () => queryClient.invalidateQueries(allAlertsOf(orgId)),
  });
}
