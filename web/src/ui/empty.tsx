import type { ReactNode } from 'react';

/** What will be here, in one sentence, and the button that brings it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line border-dashed px-4 py-12 text-center">
      <p className="font-semibold text-base">{title}</p>
      {children && <div className="grid max-w-prose justify-items-center gap-3 text-muted">{children}</div>}
    </div>
  );
}
