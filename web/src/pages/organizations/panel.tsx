import type { ReactNode } from 'react';

/** A part of an organization's card. */
export function Panel({
  title,
  className = '',
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={`grid min-w-0 grid-cols-1 content-start gap-2 ${className}`}>
      <h3 className="text-muted">{title}</h3>
      {children}
    </section>
  );
}

/** The main figure of a panel, and its unit. */
export function Headline({
  figure,
  unit,
  isBad = false,
}: {
  figure: string;
  unit?: string;
  isBad?: boolean;
}) {
  return (
    <p className="truncate">
      <span className={`font-semibold text-lg tabular-nums ${isBad ? 'text-danger' : ''}`}>{figure}</span>{' '}
      {unit && <span className="text-muted">{unit}</span>}
    </p>
  );
}
