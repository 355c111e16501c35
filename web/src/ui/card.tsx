import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  /** Beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Card({ title, actions, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg border border-line bg-surface shadow-xs">
      <header className="flex min-h-13 flex-wrap items-center justify-between gap-2 border-line border-b px-4 py-2">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {actions && <div className="flex min-w-0 max-w-full flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className="p-4">{children}</div>
    </section>
  );
}
