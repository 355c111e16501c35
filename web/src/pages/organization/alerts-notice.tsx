import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import type { Alert } from '../../api/alerts.ts';
import type { Organization } from '../../api/organizations.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { useAcknowledge } from './alerts/use-acknowledge.ts';

interface Props {
  organization: Organization;
  look: NonNullable<ComponentProps<typeof Notice>['look']>;
  /** The alerts that nobody has acknowledged yet. */
  open: readonly Alert[];
  acknowledge: ReturnType<typeof useAcknowledge>;
  children: ReactNode;
}

/** A notice on each page of an organization, with links to see and acknowledge its alerts. */
export function AlertsNotice({ organization, look, open, acknowledge, children }: Props) {
  const { org_id: orgId, may } = organization;
  return (
    <Notice look={look} role="status">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>{children}</div>
        <div className="flex items-center gap-3">
          <Link to="/organizations/$orgId/alerts" params={{ orgId }} className="underline">
            All alerts
          </Link>
          {open.length > 0 && may.includes('alerts.acknowledge') && (
            <Button pending={acknowledge.isPending} onClick={() => acknowledge.mutate(open)}>
              Acknowledge
            </Button>
          )}
        </div>
      </div>
      <Problem error={acknowledge.error} />
    </Notice>
  );
}
