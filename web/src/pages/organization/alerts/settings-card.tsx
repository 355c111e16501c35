import { useQuery } from '@tanstack/react-query';
import { alertSettingsQuery } from '../../../api/alerts.ts';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonBlock } from '../../../ui/skeleton.tsx';
import { SettingsForm } from './settings-form.tsx';

interface Props {
  orgId: string;
  mayChange: boolean;
}

/** The alerts that the organization gets. */
export function SettingsCard({ orgId, mayChange }: Props) {
  const query = useQuery(alertSettingsQuery(orgId));
  return (
    <Card title="Alert settings">
      <Loaded query={query} placeholder={<SkeletonBlock height={13} />}>
        {(settings) => <SettingsForm orgId={orgId} settings={settings} mayChange={mayChange} />}
      </Loaded>
    </Card>
  );
}
