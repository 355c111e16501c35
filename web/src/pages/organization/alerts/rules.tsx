import { useMutation, useMutationState, useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import {
  type AlertSettings,
  type AlertSettingsEdit,
  alertSettingsQuery,
  editAlertSettings,
} from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonBlock } from '../../../ui/skeleton.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { ProblemToast, Toast } from '../../../ui/toast.tsx';

const usual = [50, 80, 90, 100];
/** The API's own bound. */
const maxThresholds = 10;

/** What raises an alert. A change is saved at once, and can be undone. */
export function Rules() {
  const { org_id: orgId, may } = useOrganization();
  const query = useQuery(alertSettingsQuery(orgId));
  return (
    <Card
      title="Rules"
      description={
        may.includes('alerts.change')
          ? 'Each alert is sent once per window. One for a threshold that is already reached comes within a minute.'
          : 'Owners and admins can change these settings.'
      }
    >
      <Loaded query={query} placeholder={<SkeletonBlock height={9} />}>
        {(settings) => <Form settings={settings} />}
      </Loaded>
    </Card>
  );
}

function Form({ settings: saved }: { settings: AlertSettings }) {
  const { org_id: orgId, may } = useOrganization();
  const mayChange = may.includes('alerts.change');
  const { queryKey } = alertSettingsQuery(orgId);
  const [undo, setUndo] = useState<AlertSettingsEdit | null>(null);
  // `save` knows only the error of the last change, and several can be under way.
  const [problem, setProblem] = useState<Error | null>(null);
  const save = useMutation({
    mutationKey: queryKey,
    // One after the other, so that each begins with what the one before has made.
    scope: { id: queryKey.join() },
    mutationFn: (edit: AlertSettingsEdit) => editAlertSettings(orgId, edit),
    onSuccess: (changed) => queryClient.setQueryData(queryKey, changed),
    onError: (reason) => {
      setProblem(reason);
      void queryClient.invalidateQueries({ queryKey });
    },
  });
  const edits = useMutationState({
    filters: { mutationKey: queryKey, status: 'pending' },
    select: ({ state }) => state.variables as AlertSettingsEdit,
  });
  // At once. If a change fails, its switch goes back.
  let settings = saved;
  for (const edit of edits) settings = { ...settings, ...edit(settings) };
  const change = (edit: AlertSettingsEdit, undo: AlertSettingsEdit) => {
    setUndo(() => undo);
    save.mutate(edit);
  };
  const turn = (name: 'projection' | 'key_expiry') => (isOn: boolean) =>
    change(
      () => ({ [name]: isOn }),
      () => ({ [name]: !isOn }),
    );
  const toggle = (name: 'thresholds' | 'limit_thresholds') => (percent: number, isOn: boolean) => {
    const to =
      (has: boolean): AlertSettingsEdit =>
      ({ [name]: thresholds }) => {
        const others = thresholds.filter((each) => each !== percent);
        return { [name]: has ? [...others, percent].sort((a, b) => a - b) : others };
      };
    change(to(isOn), to(!isOn));
  };
  return (
    <fieldset disabled={!mayChange} className="grid justify-items-start gap-3">
      <legend className="sr-only">Rules</legend>
      <Thresholds
        of="the quota"
        thresholds={settings.thresholds}
        mayChange={mayChange}
        onToggle={toggle('thresholds')}
      />
      {settings.tier_thresholds.length > 0 && (
        <p className="text-muted">
          The tier raises alerts at {settings.tier_thresholds.map((percent) => `${percent}%`).join(', ')} too.
        </p>
      )}
      <Thresholds
        of="a daily or monthly limit"
        thresholds={settings.limit_thresholds}
        mayChange={mayChange}
        onToggle={toggle('limit_thresholds')}
      />
      <Switch
        label="Alert when the quota will run out before its reset, at the rate of the last days"
        checked={settings.projection}
        onChange={turn('projection')}
      />
      <Switch
        label="Alert 14 days before a key expires"
        checked={settings.key_expiry}
        onChange={turn('key_expiry')}
      />
      <ProblemToast error={problem} onClose={() => setProblem(null)} />
      {save.isSuccess && undo && (
        <Toast
          look="success"
          action="Undo"
          onAction={() => {
            save.mutate(undo);
            setUndo(null);
          }}
          onClose={save.reset}
        >
          Saved.
        </Toast>
      )}
    </fieldset>
  );
}

interface ThresholdsProps {
  /** What has the thresholds, within a sentence. */
  of: string;
  thresholds: readonly number[];
  mayChange: boolean;
  onToggle: (percent: number, isOn: boolean) => void;
}

/** Turns the usual thresholds on and off, and adds others. */
function Thresholds({ of, thresholds, mayChange, onToggle }: ThresholdsProps) {
  const [refusal, setRefusal] = useState<string>();
  const add = (event: SubmitEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const percent = Number(formText(event, 'percent').percent);
    const isValid = Number.isInteger(percent) && percent >= 1 && percent <= 100;
    setRefusal(isValid ? undefined : 'Enter a whole number from 1 to 100.');
    if (!isValid) return;
    if (!thresholds.includes(percent)) onToggle(percent, true);
    form.reset();
  };
  const shown = [...new Set([...usual, ...thresholds])].sort((a, b) => a - b);
  return (
    <fieldset className="grid justify-items-start gap-2">
      <legend>Alert when this much of {of} is used</legend>
      <ul className="flex flex-wrap gap-x-4">
        {shown.map((percent) => (
          <li key={percent}>
            <Switch
              label={`${percent}%`}
              checked={thresholds.includes(percent)}
              onChange={(checked) => onToggle(percent, checked)}
            />
          </li>
        ))}
      </ul>
      {mayChange && thresholds.length < maxThresholds && (
        <form className="flex flex-wrap items-end gap-2" onSubmit={add} noValidate>
          <TextField
            label="Add threshold (%)"
            name="percent"
            inputMode="numeric"
            autoComplete="off"
            error={refusal}
            onChange={() => setRefusal(undefined)}
          />
          <Button type="submit">Add</Button>
        </form>
      )}
    </fieldset>
  );
}
