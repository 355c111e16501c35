import type { ComponentProps } from 'react';

const looks = {
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-edge bg-surface hover:bg-sunken',
  danger: 'border border-transparent bg-danger text-on-danger hover:bg-danger-strong',
  /** For toolbars, and for buttons beside a title. */
  quiet: 'text-ink hover:bg-raised data-[state=open]:bg-raised',
  /** A square with an icon, in rows. Its `aria-label` is its name. */
  icon: 'text-muted hover:bg-raised hover:text-ink data-[state=open]:bg-raised data-[state=open]:text-ink',
} as const;

export type ButtonLook = keyof typeof looks;

function buttonLook(look: ButtonLook = 'secondary'): string {
  const size = look === 'icon' ? 'size-7 pointer-coarse:size-10' : 'min-h-8 px-3 pointer-coarse:min-h-10';
  return (
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap ' +
    `transition-colors print:hidden disabled:opacity-60 aria-disabled:opacity-60 [&>svg]:size-4 [&>svg]:shrink-0 ${size} ` +
    `${looks[look]}`
  );
}

/** A link that looks like a button, such as for a download. */
export function ButtonLink({ look, className = '', ...rest }: ComponentProps<'a'> & { look?: ButtonLook }) {
  return <a {...rest} className={`${buttonLook(look)} ${className}`} />;
}

interface Props extends ComponentProps<'button'> {
  look?: ButtonLook;
  /** The action that the button started is in progress. */
  pending?: boolean;
}

export function Button({ look, pending = false, className = '', ...rest }: Props) {
  return (
    <button
      type="button"
      aria-busy={pending}
      {...rest}
      disabled={rest.disabled || pending}
      className={`${buttonLook(look)} ${className}`}
    />
  );
}
