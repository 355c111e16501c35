import type { ReactNode } from 'react';

const looks = {
  danger: 'border-danger bg-danger-soft',
  warning: 'border-warning bg-warning-soft',
  success: 'border-success bg-success-soft',
  plain: 'border-line bg-raised',
} as const;

interface Props {
  look?: keyof typeof looks;
  /** Screen readers read `alert` at once, and `status` when the reader pauses. */
  role?: 'alert' | 'status';
  children: ReactNode;
}

export function Notice({ look = 'plain', role, children }: Props) {
  return (
    <div role={role} className={`rounded-md border-l-4 px-3 py-2 ${looks[look]}`}>
      {children}
    </div>
  );
}
