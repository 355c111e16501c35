import { TextField } from '../../ui/field.tsx';

const minLength = 10;

export function NewPasswordField({ label }: { label: string }) {
  return (
    <TextField
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      hint={`At least ${minLength} characters; a few words in a row are easy to remember and hard to guess.`}
      minLength={minLength}
      required
    />
  );
}
