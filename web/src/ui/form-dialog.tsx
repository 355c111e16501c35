import type { ReactNode } from 'react';
import { ApiError, messageAt } from '../api/problem.ts';
import { formText } from '../lib/form-text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FieldErrors } from './field.tsx';
import type { FormChange } from './form.tsx';
import { Problem } from './problem.tsx';

interface Props<Name extends string> {
  title: string;
  description?: ReactNode;
  /** The names of the form's fields. */
  names: readonly Name[];
  /** The verb on the button. */
  action: string;
  change: FormChange<Name>;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with a form, whose fields the change gets as text. */
export function FormDialog<Name extends string>(props: Props<Name>) {
  const { title, description, names, action, change, onClose, children } = props;
  const { error } = change;
  const field = error instanceof ApiError ? (names.find((name) => name === error.field) ?? null) : null;
  return (
    <Dialog title={title} description={description} open onOpenChange={onClose}>
      <form className="grid gap-4" onSubmit={(event) => change.mutate(formText(event, ...names))}>
        <FieldErrors value={field === null || !error ? {} : { [field]: messageAt(field, error) }}>
          {children}
        </FieldErrors>
        {field === null && <Problem error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={change.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
