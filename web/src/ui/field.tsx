import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import { Options } from './select.tsx';

const control =
  'w-full min-h-8 rounded-md border border-edge bg-surface px-2.5 py-1 text-base placeholder:text-muted ' +
  'aria-invalid:border-danger disabled:opacity-60 pointer-coarse:min-h-10';

/** What the service says about a field of the form, by the field's name. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface LabelledProps extends FieldProps {
  name: string | undefined;
  children: (
    described: Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>,
  ) => ReactNode;
}

function Labelled({ label, hint, error: own, name = '', children }: LabelledProps) {
  const id = useId();
  const ofService = useContext(FieldErrors);
  const error = own ?? ofService[name];
  const described = hint || error ? `${id}-more` : undefined;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      {described && (
        <p id={described} role={error ? 'alert' : undefined} className={error ? 'text-danger' : 'text-muted'}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

export function TextField({ label, hint, error, ...input }: FieldProps & ComponentProps<'input'>) {
  return (
    <Labelled label={label} hint={hint} error={error} name={input.name}>
      {(described) => <input {...input} {...described} className={control} />}
    </Labelled>
  );
}

export function TextArea({ label, hint, error, ...area }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Labelled label={label} hint={hint} error={error} name={area.name}>
      {(described) => <textarea {...area} {...described} className={`${control} font-mono`} />}
    </Labelled>
  );
}

interface SelectProps extends FieldProps, ComponentProps<'select'> {
  /** The label of each value. */
  options: Readonly<Partial<Record<string, string>>>;
}

/** A native select works with every keyboard, screen reader and phone. */
export function SelectField({ label, hint, error, options, ...select }: SelectProps) {
  return (
    <Labelled label={label} hint={hint} error={error} name={select.name}>
      {(described) => (
        <select {...select} {...described} className={control}>
          <Options options={options} />
        </select>
      )}
    </Labelled>
  );
}
