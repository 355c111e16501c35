import type { Model } from '../../../api/embeddings.ts';
import { formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TokenCounts } from './token-counts.tsx';
import { linesOf, type Typed } from './use-typed.ts';

const senders = { session: 'Your session', key: 'API key' };

interface Props {
  typed: Typed;
  models: readonly Model[];
  /** Whether the signed-in user may embed. With a key, everyone may. */
  mayEmbed: boolean;
  pending: boolean;
  onChange: (changed: Partial<Typed>) => void;
  onSubmit: () => void;
}

export function RequestForm({ typed, models, mayEmbed, pending, onChange, onSubmit }: Props) {
  const lines = linesOf(typed.texts);
  const chosen = models.find(({ id }) => id === typed.model) ?? models[0];
  const sizes = chosen?.matryoshka_dimensions ?? [];
  const names = Object.fromEntries(models.map(({ id }) => [id, id]));
  return (
    <form
      className="grid content-start gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextArea
        label="Texts, one per line"
        name="texts"
        rows={10}
        value={typed.texts}
        onChange={({ target }) => onChange({ texts: target.value })}
        required
        hint={`${formatCount(lines.length)} ${lines.length === 1 ? 'text' : 'texts'}${chosen ? `, up to ${formatCount(chosen.max_input_tokens)} tokens each` : ''}`}
      />
      {mayEmbed && <TokenCounts {...typed} />}
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField
          label="Model"
          options={{ '': `Default${models[0] ? ` (${models[0].id})` : ''}`, ...names }}
          value={typed.model}
          onChange={({ target }) => onChange({ model: target.value })}
        />
        <SelectField
          label="Dimensions"
          options={{
            '': chosen ? `${chosen.dimensions}` : 'All',
            ...Object.fromEntries(sizes.map((size) => [String(size), String(size)])),
          }}
          value={typed.dimensions}
          onChange={({ target }) => onChange({ dimensions: target.value })}
        />
        <SelectField
          label="Input type"
          options={{ '': 'Document', query: 'Query' }}
          value={typed.inputType}
          onChange={({ target }) => onChange({ inputType: target.value })}
        />
      </div>
      {mayEmbed ? (
        <Segmented
          legend="Send with"
          options={senders}
          value={typed.sender}
          onChange={(sender) => onChange({ sender })}
        />
      ) : (
        <p className="text-muted">Your role is read-only. With an API key, you can embed.</p>
      )}
      {typed.sender === 'key' && (
        <TextField
          label="API key"
          name="key"
          type="password"
          autoComplete="off"
          placeholder="sk_…"
          minLength={16}
          maxLength={256}
          hint="Used only for this request; never stored."
          value={typed.key}
          onChange={({ target }) => onChange({ key: target.value })}
          required
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" pending={pending}>
          Embed
        </Button>
        <p className="text-muted">Counts as one request, unless it comes from the cache.</p>
      </div>
    </form>
  );
}
