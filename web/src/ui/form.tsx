import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, messageAt } from '../api/problem.ts';
import { formText } from '../lib/form-text.ts';
import { Button, type ButtonLook } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FieldErrors } from './field.tsx';
import { Problem } from './problem.tsx';

interface FormProps<Name extends string> {
  /** The names of the form's fields. */
  names: readonly Name[];
  /** The verb on the button. */
  action: string;
  look?: ButtonLook;
  /** What the form does with its fields, which it gets as text. */
  change: {
    mutate(values: Record<Name, string>): void;
    readonly isPending?: boolean;
    readonly error?: Error | null;
  };
  /** Beside the button, in a dialog. */
  onCancel?: () => void;
  className?: string;
  /** The fields. */
  children: ReactNode;
}

/** A form. What the service says about one of its fields appears at the field. */
export function Form<Name extends string>(props: FormProps<Name>) {
  const { names, action, look = 'primary', change, onCancel, className = '', children } = props;
  const { error = null, isPending = false } = change;
  const field = error instanceof ApiError ? (names.find((name) => name === error.field) ?? null) : null;
  return (
    <form
      className={`grid gap-4 ${className}`}
      onSubmit={(event) => change.mutate(formText(event, ...names))}
    >
      <FieldErrors value={field === null || !error ? {} : { [field]: messageAt(field, error) }}>
        {children}
      </FieldErrors>
      {field === null && <Problem error={error} />}
      <div className={`flex gap-2 ${onCancel ? 'justify-end' : ''}`}>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" look={look} pending={isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}

interface DialogProps<Name extends string> extends FormProps<Name> {
  title: string;
  description?: ReactNode;
  onClose: () => void;
}

/** A dialog with a form. */
export function FormDialog<Name extends string>({ title, description, ...form }: DialogProps<Name>) {
  const close = useClosing(form.change, form.onClose);
  return (
    <Dialog title={title} description={description} onClose={close}>
      <Form {...form} onCancel={close} />
    </Dialog>
  );
}

/** Returns how a dialog closes: not while its request is under way, because nobody would see what came of it. */
export function useClosing({ isPending = false }: { isPending?: boolean }, onClose: () => void): () => void {
  useBlocker({
    shouldBlockFn: ({ action }) => isPending && !['PUSH', 'REPLACE'].includes(action),
    enableBeforeUnload: isPending,
  });
  return () => !isPending && onClose();
}
