import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { type AlertSettings, alertSettingsQuery, setAlertSettings } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useSave } from '../../../api/use-save.ts';
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

function Form({ settings }: { settings: AlertSettings }) {
  const { org_id: orgId, may } = useOrganization();
  const mayChange = may.includes('alerts.change');
  const [before, setBefore] = useState<AlertSettings | null>(null);
  const save = useSave(
    (changed: AlertSettings) => setAlertSettings(orgId, changed),
    [],
    (saved) => queryClient.setQueryData(alertSettingsQuery(orgId).queryKey, saved),
  );
  const change = (changed: Partial<AlertSettings>) => {
    setBefore(settings);
    save.mutate({ ...settings, ...changed });
  };
  return (
    <fieldset disabled={!mayChange} className="grid justify-items-start gap-3">
      <legend className="sr-only">Rules</legend>
      <Thresholds
        of="the quota"
        thresholds={settings.thresholds}
        mayChange={mayChange}
        onChange={(thresholds) => change({ thresholds })}
      />
      <Thresholds
        of="a daily or monthly limit"
        thresholds={settings.limit_thresholds}
        mayChange={mayChange}
        onChange={(limit_thresholds) => change({ limit_thresholds })}
      />
      <Switch
        label="Alert when the quota will run out before its reset, at the rate of the last days"
        checked={settings.projection}
        onChange={(projection) => change({ projection })}
      />
      <Switch
        label="Alert 14 days before a key expires"
        checked={settings.key_expiry}
        onChange={(key_expiry) => change({ key_expiry })}
      />
      <ProblemToast error={save.error} onClose={save.reset} />
      {save.isSuccess && before && (
        <Toast
          look="success"
          action="Undo"
          onAction={() => {
            save.mutate(before);
            setBefore(null);
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
  onChange: (thresholds: number[]) => void;
}

/** Turns the usual thresholds on and off, and adds others. */
function Thresholds({ of, thresholds, mayChange, onChange }: ThresholdsProps) {
  const [refusal, setRefusal] = useState<string>();
  const toggle = (percent: number, isOn: boolean) => {
    const others = thresholds.filter((each) => each !== percent);
    onChange(isOn ? [...others, percent].sort((a, b) => a - b) : others);
  };
  const add = (event: SubmitEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const percent = Number(formText(event, 'percent').percent);
    const isValid = Number.isInteger(percent) && percent >= 1 && percent <= 100;
    setRefusal(isValid ? undefined : 'Enter a whole number from 1 to 100.');
    if (!isValid) return;
    toggle(percent, true);
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
              onChange={(checked) => toggle(percent, checked)}
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
