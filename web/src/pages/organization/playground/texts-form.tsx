import { type SubmitEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';

const examples = `How do I reset my password?
I forgot my login and need a new password.
The ferry to the island leaves at noon.`;

const senders = { session: 'Your session', key: 'API key' };

interface Props {
  /** Whether the signed-in user may embed. With a key, everyone may. */
  mayEmbed: boolean;
  pending: boolean;
  /** The form's `texts`, and its `key` if there is one. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

export function TextsForm({ mayEmbed, pending, onSubmit }: Props) {
  const [sender, setSender] = useState<keyof typeof senders>(mayEmbed ? 'session' : 'key');
  return (
    <form className="grid gap-4" onSubmit={onSubmit}>
      <TextArea label="Texts, one per line" name="texts" rows={4} defaultValue={examples} required />
      <div className="grid gap-3">
        {mayEmbed ? (
          <Segmented legend="Send with" options={senders} value={sender} onChange={setSender} />
        ) : (
          <p className="text-muted">Your role is read-only. With an API key, you can embed.</p>
        )}
        {sender === 'key' && (
          <TextField
            label="API key"
            name="key"
            type="password"
            autoComplete="off"
            placeholder="sk_…"
            pattern="sk_[0-9a-f]{64}"
            title="sk_ and 64 hexadecimal characters"
            hint="Used only for this request; never stored."
            required
          />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" pending={pending}>
          Embed
        </Button>
        <p className="text-muted">Counts as one request, like any other, unless it comes from the cache.</p>
      </div>
    </form>
  );
}
