import { type QueryKey, useIsMutating } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useSave } from '../api/use-save.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { Form } from './form.tsx';

interface Props {
  name: string;
  /** What is set now. */
  value: ReactNode;
  /** The verb of the button that opens the form. Null: the reader can't change the setting. */
  action?: string | null;
  /** Whether the form is open at first. */
  startsOpen?: boolean;
  /** The form. `close` ends it. */
  children?: (close: () => void) => ReactNode;
}

/** A setting as a row: its name, its value, and a form that opens below. */
export function Setting({ name, value, action = null, startsOpen = false, children }: Props) {
  const [isOpen, setOpen] = useState(startsOpen);
  // Until its request has ended: nobody would see what came of it.
  const isBusy = useIsMutating() > 0 && isOpen;
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[1fr_auto] items-start gap-x-4 gap-y-3 border-line border-b py-3 sm:grid-cols-[12rem_1fr_auto]"
    >
      <h2 id={id} className="font-medium leading-8">
        {name}
      </h2>
      <div className="min-w-0 wrap-anywhere py-1.5 text-muted max-sm:order-3 max-sm:col-span-2 max-sm:py-0">
        {value}
      </div>
      {action !== null && (
        <Button
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Cancel' : action}: ${name}`}
          disabled={isBusy}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Cancel' : action}
        </Button>
      )}
      {isOpen && children && (
        <div className="max-sm:order-4 max-sm:col-span-2 sm:col-start-2">
          {children(() => setOpen(false))}
        </div>
      )}
    </section>
  );
}

interface NameFormProps {
  label: string;
  /** The current name. */
  name: string;
  save: (values: { name: string }) => Promise<unknown>;
  changed: QueryKey;
  onDone: () => void;
}

/** Changes the name of something. */
export function NameForm({ label, name, save, changed, onDone }: NameFormProps) {
  const [before] = useState(name);
  const change = useSave(
    async (values: { name: string }) => values.name !== before && save(values),
    [changed],
    onDone,
  );
  return (
    <Form names={['name']} action="Save" change={change} className="max-w-md">
      <TextField label={label} name="name" defaultValue={before} maxLength={200} required autoFocus />
    </Form>
  );
}
