import { useBlocker } from '@tanstack/react-router';
import type { ReactNode, SubmitEvent } from 'react';
import { ApiError, messageAt } from '../api/problem.ts';
import { changedText, formText } from '../lib/form-text.ts';
import { Button, type ButtonLook } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FieldErrors } from './field.tsx';
import { Problem } from './problem.tsx';

interface FormProps<Name extends string, Values = Record<Name, string>> {
  /** The names of the form's fields. */
  names: readonly Name[];
  /** The verb on the button. */
  action: string;
  look?: ButtonLook;
  /** What the form does with its fields, which it gets as text. */
  change: {
    mutate(values: Values): void;
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
  return <AnyForm {...props} read={formText} />;
}

/** A form of something that exists: others may change it meanwhile, so it sends only what its reader has changed. */
export function EditForm<Name extends string>(props: FormProps<Name, Partial<Record<Name, string>>>) {
  return <AnyForm {...props} read={changedText} />;
}

type Read<Values> = (event: SubmitEvent<HTMLFormElement>, ...names: string[]) => Values;

function AnyForm<Name extends string, Values>(props: FormProps<Name, Values> & { read: Read<Values> }) {
  const { names, action, look = 'primary', change, onCancel, className = '', children, read } = props;
  const { error = null, isPending = false } = change;
  const field = error instanceof ApiError ? (names.find((name) => name === error.field) ?? null) : null;
  return (
    <form className={`grid gap-4 ${className}`} onSubmit={(event) => change.mutate(read(event, ...names))}>
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

type DialogProps<Form> = Form & {
  title: string;
  description?: ReactNode;
  onClose: () => void;
};

/** A dialog with a form. */
export function FormDialog<Name extends string>(props: DialogProps<FormProps<Name>>) {
  return <AnyDialog {...props} read={formText} />;
}

/** A dialog with an `EditForm`. */
export function EditDialog<Name extends string>(
  props: DialogProps<FormProps<Name, Partial<Record<Name, string>>>>,
) {
  return <AnyDialog {...props} read={changedText} />;
}

function AnyDialog<Name extends string, Values>(
  props: DialogProps<FormProps<Name, Values> & { read: Read<Values> }>,
) {
  const { title, description, ...form } = props;
  const close = useClosing(form.change, form.onClose);
  return (
    <Dialog title={title} description={description} onClose={close}>
      <AnyForm {...form} onCancel={close} />
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
