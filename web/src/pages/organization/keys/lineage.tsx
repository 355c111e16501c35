import type { Key } from '../../../api/keys.ts';

interface Props {
  apiKey: Key;
  keys: readonly Key[];
  /** Shows the key with this hint. */
  onFind: (hint: string) => void;
}

/** The last characters of a key, of its predecessors and of its successor. */
export function Lineage({ apiKey, keys, onFind }: Props) {
  const old = keys.find(({ key_id }) => key_id === apiKey.rotated_from);
  // The newest comes first.
  const next = keys.find(({ rotated_from }) => rotated_from === apiKey.key_id);
  return (
    <>
      <code>{apiKey.hint}</code>
      {old && <Relative relation="replaces" hint={old.hint} onFind={onFind} />}
      {next && <Relative relation="replaced by" hint={next.hint} onFind={onFind} />}
    </>
  );
}

interface RelativeProps extends Pick<Props, 'onFind'> {
  relation: string;
  hint: string;
}

function Relative({ relation, hint, onFind }: RelativeProps) {
  return (
    <span className="block">
      {relation}{' '}
      <button type="button" className="text-accent underline" onClick={() => onFind(hint)}>
        <code>{hint}</code>
      </button>
    </span>
  );
}
