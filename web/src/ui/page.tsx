import type { ReactNode } from 'react';
import { usePageTitle } from '../lib/page-title.ts';

interface Props {
  title: string;
  /** What the window's title says after the page's name, such as an organization. */
  of?: string | undefined;
  /** Before the title, such as a link to the list that the page's object is in. */
  before?: ReactNode;
  /** The toolbar. The page's main action is last. */
  actions?: ReactNode;
  /** Between the bar and the content. */
  strip?: ReactNode;
  children: ReactNode;
}

/** A page: a bar with its title and its actions, which stays in sight, and its content. */
export function Page({ title, of, before, actions, strip, children }: Props) {
  usePageTitle(of === undefined ? title : `${title} · ${of}`);
  return (
    <>
      <header className="sticky top-0 z-10 border-line border-b bg-page print:static">
        <div className="mx-auto flex min-h-12 max-w-360 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-1.5 lg:px-6">
          <div className="flex min-w-0 items-center gap-2">
            {before}
            <h1 title={title} dir="auto" className="min-w-0 truncate font-semibold text-xl">
              {title}
            </h1>
          </div>
          {actions && <div className="flex min-w-0 flex-wrap items-center gap-1">{actions}</div>}
        </div>
      </header>
      {strip}
      <div className="mx-auto grid max-w-360 grid-cols-1 gap-8 px-4 py-5 lg:px-6">{children}</div>
    </>
  );
}
