import type { ReactNode } from 'react';
import { usePageTitle } from '../../lib/page-title.ts';
import { Mark } from '../../ui/mark.tsx';

/** The single column of all pages before the sign-in. */
export function LoginFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center justify-items-center gap-6 p-4">
      <Mark />
      <div className="grid w-full grid-cols-1 gap-6 wrap-anywhere rounded-lg border border-line bg-surface p-6 sm:p-8">
        <h1 className="font-semibold text-xl">{title}</h1>
        {children}
      </div>
    </main>
  );
}
