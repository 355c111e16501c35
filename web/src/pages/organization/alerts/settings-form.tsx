import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type AlertSettings, alertSettingsQuery, setAlertSettings } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Thresholds, withTyped } from './thresholds.tsx';

interface Props {
  orgId: string;
  settings: AlertSettings;
  mayChange: boolean;
}

export function SettingsForm({ orgId, settings, mayChange }: Props) {
  const [thresholds, setThresholds] = useState<readonly number[]>(settings.thresholds);
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  const [projection, setProjection] = useState(settings.projection);
  const save = useMutation({
    mutationFn: (next: readonly number[]) => setAlertSettings(orgId, { thresholds: [...next], projection }),
    onSuccess: (saved) => queryClient.setQueryData(alertSettingsQuery(orgId).queryKey, saved),
  });
  const isUnsaved =
    typed !== '' || projection !== settings.projection || String(thresholds) !== String(settings.thresholds);
  /** Includes the typed text, which nobody wants to lose; null if it is not a valid threshold. */
  const add = (): readonly number[] | null => {
    const next = withTyped(thresholds, typed);
    setRefused(next === null);
    if (next) {
      setThresholds(next);
      setTyped('');
    }
    return next;
  };
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const next = add();
        if (next) save.mutate(next);
      }}
    >
      <LeaveGuard isUnsaved={isUnsaved && mayChange} />
      <Thresholds
        value={thresholds}
        typed={typed}
        isRefused={isRefused}
        disabled={!mayChange}
        onChange={(next) => {
          save.reset();
          setThresholds(next);
        }}
        onType={(text) => {
          save.reset();
          setRefused(false);
          setTyped(text);
        }}
        onAdd={add}
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
            Alerts you when the quota will run out before its reset at the rate of the last days.
          </span>
        </span>
      </label>
      <Problem error={save.error} />
      {save.isSuccess && (
        <Notice look="success" role="status">
          Saved. An alert for a threshold that is already reached comes within a minute.
        </Notice>
      )}
      {mayChange ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" pending={save.isPending}>
            Save
          </Button>
          {isUnsaved && <span className="text-muted">You have unsaved changes.</span>}
        </div>
      ) : (
        <p className="text-muted">Owners and admins can change these settings.</p>
      )}
    </form>
  );
}
