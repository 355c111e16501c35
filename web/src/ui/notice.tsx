import { CircleAlert, CircleCheck, Info, LoaderCircle, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const looks = {
  danger: { Icon: CircleAlert, box: 'bg-danger-soft', icon: 'text-danger' },
  warning: { Icon: TriangleAlert, box: 'bg-warning-soft', icon: 'text-warning' },
  success: { Icon: CircleCheck, box: 'bg-success-soft', icon: 'text-success' },
  busy: { Icon: LoaderCircle, box: 'bg-raised', icon: 'animate-spin text-muted' },
  plain: { Icon: Info, box: 'bg-raised', icon: 'text-muted' },
} as const;

interface Props {
  look?: keyof typeof looks;
  /** Screen readers read `alert` at once, and `status` when the reader pauses. */
  role?: 'alert' | 'status';
  children: ReactNode;
}

export function Notice({ look = 'plain', role, children }: Props) {
  const { Icon, box, icon } = looks[look];
  return (
    <div role={role} className={`flex gap-2.5 rounded-md px-3 py-2 ${box}`}>
      <Icon aria-hidden className={`my-0.5 size-4 shrink-0 ${icon}`} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
