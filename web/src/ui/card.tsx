import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  /** One sentence below the title. */
  description?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a title. It has no box: a box is for what is one object. */
export function Card({ title, description, actions, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 grid-cols-1 content-start gap-3">
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <div>
          <h2 id={id} className="font-semibold text-lg">
            {title}
          </h2>
          {description && <p className="max-w-prose text-muted">{description}</p>}
        </div>
        {actions && <div className="flex min-w-0 max-w-full flex-wrap items-center gap-1">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
