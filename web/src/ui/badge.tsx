const looks = {
  plain: 'bg-raised text-ink',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
} as const;

export type BadgeLook = keyof typeof looks;

export function Badge({ look = 'plain', children }: { look?: BadgeLook; children: string }) {
  return (
    <span className={`inline-block rounded px-1.5 py-0.5 font-medium text-xs ${looks[look]}`}>
      {children}
    </span>
  );
}
