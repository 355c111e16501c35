import { useMutation } from '@tanstack/react-query';
import { type Alert, acknowledgeAlert, alertsQuery } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';

/** Says of alerts, for everybody in the organization, that they have been seen. */
export function useAcknowledge(orgId: string) {
  return useMutation({
    mutationFn: (alerts: readonly Alert[]) =>
      Promise.all(alerts.map(({ alert_id }) => acknowledgeAlert(orgId, alert_id))),
    onSettled: () => queryClient.invalidateQueries(alertsQuery(orgId)),
  });
}
