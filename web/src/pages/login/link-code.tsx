import { useEnterCode } from '../../lib/link-token.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

/** Takes the code of a mail by hand, because some mail filters cut or rewrite the link that has it. */
export function LinkCode() {
  const enter = useEnterCode();
  return (
    <Form names={['code']} action="Continue" change={{ mutate: ({ code }) => enter(code) }}>
      <TextField
        label="Code"
        name="code"
        hint="The email has it below the link. Without an email, ask for a new link."
        autoComplete="off"
        spellCheck={false}
        required
        autoFocus
      />
    </Form>
  );
}
