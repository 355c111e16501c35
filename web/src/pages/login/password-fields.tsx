import { TextField } from '../../ui/field.tsx';

/** The password of someone who has one. */
export function PasswordField(props: { label: string; name: string }) {
  return <TextField {...props} type="password" autoComplete="current-password" required />;
}

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
