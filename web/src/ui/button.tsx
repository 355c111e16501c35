import type { ComponentProps } from 'react';

const looks = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-edge bg-surface shadow-xs hover:bg-raised',
  danger: 'bg-danger text-on-danger hover:opacity-90',
  quiet: 'text-accent hover:bg-raised',
} as const;

type Look = keyof typeof looks;

/** Returns the look of a button, for links that act like one. */
export function buttonLook(look: Look = 'secondary'): string {
  return `inline-flex min-h-9 items-center justify-center gap-2 rounded-md px-3 py-1.5 font-medium whitespace-nowrap disabled:opacity-60 ${looks[look]}`;
}

interface Props extends ComponentProps<'button'> {
  look?: Look;
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
