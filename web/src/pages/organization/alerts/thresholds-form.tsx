import { useMutation } from '@tanstack/react-query';
import { type AlertSettings, alertSettingsQuery, saveAlertSettings } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';

interface Props {
  orgId: string;
  settings: AlertSettings;
  mayChange: boolean;
}

export function ThresholdsForm({ orgId, settings, mayChange }: Props) {
  const save = useMutation({
    mutationFn: ({ thresholds, projection }: { thresholds: string; projection: string }) =>
      saveAlertSettings(orgId, { thresholds: parseThresholds(thresholds), projection: projection === 'on' }),
    onSuccess: () => queryClient.invalidateQueries(alertSettingsQuery(orgId)),
  });
  return (
    <form
      className="grid max-w-md gap-4"
      onSubmit={(event) => save.mutate(formText(event, 'thresholds', 'projection'))}
    >
      <TextField
        label="Per cent of the quota"
        name="thresholds"
        defaultValue={settings.thresholds.join(', ')}
        pattern="\s*\d+\s*([,\s]\s*\d+\s*)*"
        title="Whole numbers, separated by commas"
        hint="Whole numbers, separated by commas. Each raises one alert a window."
        disabled={!mayChange}
      />
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          name="projection"
          defaultChecked={settings.projection}
          disabled={!mayChange}
          className="size-4 accent-accent"
        />
        Also when the quota is foreseen to end before its reset
      </label>
      <Problem error={save.error} />
      {save.isSuccess && (
        <Notice look="success" role="status">
          Saved.
        </Notice>
      )}
      {mayChange && (
        <Button type="submit" className="justify-self-start" pending={save.isPending}>
          Save
        </Button>
      )}
    </form>
  );
}

const parseThresholds = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
