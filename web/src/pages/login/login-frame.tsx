import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { base } from '../../lib/base.ts';
import { usePageTitle } from '../../lib/page-title.ts';

interface Props {
  title: string;
  /** The text of the link to the sign-in, if there is one. */
  back?: string | false;
  children: ReactNode;
}

/** The single column of all pages before the sign-in. */
export function LoginFrame({ title, back, children }: Props) {
  usePageTitle(title);
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center justify-items-center gap-6 p-4">
      <span className="inline-flex items-center gap-2 font-semibold text-base">
        <img src={`${base}/favicon.svg`} alt="" width={24} height={24} />
        Embedgate
        <code className="font-normal text-muted text-sm">{location.host + base}</code>
      </span>
      <div className="grid w-full grid-cols-1 gap-6 wrap-anywhere rounded-lg border border-line bg-surface p-6 sm:p-8 [&_button[type=submit]]:w-full">
        <h1 className="font-semibold text-xl">{title}</h1>
        {children}
        {back && (
          <Link to="/login" className="justify-self-start text-accent underline">
            {back}
          </Link>
        )}
      </div>
    </main>
  );
}
