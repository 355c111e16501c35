import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type AlertSettings, alertSettingsQuery, setAlertSettings } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Thresholds } from './thresholds.tsx';

interface Props {
  orgId: string;
  settings: AlertSettings;
  mayChange: boolean;
}

export function SettingsForm({ orgId, settings, mayChange }: Props) {
  const [thresholds, setThresholds] = useState<readonly number[]>(settings.thresholds);
  const [projection, setProjection] = useState(settings.projection);
  const save = useMutation({
    mutationFn: () => setAlertSettings(orgId, { thresholds: [...thresholds], projection }),
    onSuccess: (saved) => queryClient.setQueryData(alertSettingsQuery(orgId).queryKey, saved),
  });
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Thresholds
        value={thresholds}
        disabled={!mayChange}
        onChange={(next) => {
          save.reset();
          setThresholds(next);
        }}
      />
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4 accent-accent"
          checked={projection}
          disabled={!mayChange}
          onChange={(event) => {
            save.reset();
            setProjection(event.target.checked);
          }}
        />
        <span>
          <span className="font-medium">Projected exhaustion</span>
          <span className="block text-muted">
            When at the pace of the last days the quota ends before its reset.
          </span>
        </span>
      </label>
      <Problem error={save.error} />
      {save.isSuccess && (
        <Notice look="success" role="status">
          Saved. A threshold that is reached already is raised within a minute.
        </Notice>
      )}
      {mayChange ? (
        <Button type="submit" className="justify-self-start" pending={save.isPending}>
          Save
        </Button>
      ) : (
        <p className="text-muted">Owners and admins can change it.</p>
      )}
    </form>
  );
}
