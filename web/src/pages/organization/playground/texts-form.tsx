import type { SubmitEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';

const examples = `How do I reset my password?
I forgot my login and need a new password.
The ferry to the island leaves at noon.`;

interface Props {
  pending: boolean;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

export function TextsForm({ pending, onSubmit }: Props) {
  return (
    <form className="grid gap-4" onSubmit={onSubmit}>
      <TextArea label="One text a line" name="texts" rows={5} defaultValue={examples} required />
      <TextField
        label="API key"
        name="key"
        type="password"
        autoComplete="off"
        placeholder="sk_…"
        pattern="sk_[0-9a-f]{64}"
        title="sk_ and 64 hexadecimal characters"
        hint="Leave it empty to embed as yourself."
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" pending={pending}>
          Embed
        </Button>
        <p className="text-muted">
          Counts as one request, like any other, unless it is answered from the cache.
        </p>
      </div>
    </form>
  );
}
