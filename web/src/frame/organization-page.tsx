import type { ReactNode } from 'react';
import { useOrganization } from '../lib/use-organization.ts';
import { Page } from '../ui/page.tsx';
import { StandingStrip } from './standing-strip.tsx';

interface Props {
  title: string;
  before?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of an organization, with what everybody there must know at once. */
export function OrganizationPage(props: Props) {
  const organization = useOrganization();
  return <Page {...props} of={organization.name} strip={<StandingStrip organization={organization} />} />;
}
