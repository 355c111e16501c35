import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { useAccept } from './use-accept.ts';

/** People without an account create one by accepting. */
export function JoinWithAccount({ token }: { token: string }) {
  const accept = useAccept();
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => accept.mutate({ token, ...formText(event, 'name', 'password') })}
    >
      <TextField label="Your name" name="name" autoComplete="name" maxLength={200} required autoFocus />
      <NewPasswordField label="Password" />
      <Problem error={accept.error} />
      <Button type="submit" look="primary" pending={accept.isPending}>
        Join
      </Button>
    </form>
  );
}
