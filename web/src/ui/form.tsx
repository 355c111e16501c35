import type { ReactNode } from 'react';
import { formText } from '../lib/form-text.ts';
import { Button, type ButtonLook } from './button.tsx';
import { Problem } from './problem.tsx';

/** What a form does with its fields, which it gets as text. */
export interface FormChange<Name extends string> {
  mutate(values: Record<Name, string>): void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface Props<Name extends string> {
  /** The names of the form's fields. */
  names: readonly Name[];
  /** The verb on the button. */
  action: string;
  look?: ButtonLook;
  change: FormChange<Name>;
  /** The fields. */
  children: ReactNode;
}

/** A form within a page, with one button. */
export function Form<Name extends string>({
  names,
  action,
  look = 'primary',
  change,
  children,
}: Props<Name>) {
  return (
    <form className="grid max-w-md gap-4" onSubmit={(event) => change.mutate(formText(event, ...names))}>
      {children}
      <Problem error={change.error} />
      <Button type="submit" look={look} className="justify-self-start" pending={change.isPending}>
        {action}
      </Button>
    </form>
  );
}
