import type { ComponentProps } from 'react';
import { useOrganization } from '../lib/use-organization.ts';
import { Page } from '../ui/page.tsx';
import { StandingStrip } from './standing-strip.tsx';

/** A page of an organization, with what everybody there must know at once. */
export function OrganizationPage(props: Omit<ComponentProps<typeof Page>, 'of' | 'strip'>) {
  return <Page {...props} of={useOrganization().name} strip={<StandingStrip />} />;
}
