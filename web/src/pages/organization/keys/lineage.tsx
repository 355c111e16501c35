import type { Key } from '../../../api/keys.ts';

interface Props {
  apiKey: Key;
  /** The keys that are loaded. */
  keys: readonly Key[];
  /** Shows the key with this id. */
  onFind: (keyId: string) => void;
}

/** The last characters of a key, of its predecessor and of its successor, as far as they are loaded, and its model. */
export function Lineage({ apiKey, keys, onFind }: Props) {
  const old = keys.find(({ key_id }) => key_id === apiKey.rotated_from);
  // The newest comes first.
  const next = keys.find(({ rotated_from }) => rotated_from === apiKey.key_id);
  return (
    <>
      <code>{apiKey.hint}</code>
      {apiKey.rotated_from && (
        <Relative
          relation="replaces"
          hint={old?.hint ?? 'an older key'}
          keyId={apiKey.rotated_from}
          onFind={onFind}
        />
      )}
      {next && <Relative relation="replaced by" hint={next.hint} keyId={next.key_id} onFind={onFind} />}
      {apiKey.default_model && (
        <span className="block truncate" title={apiKey.default_model}>
          model {apiKey.default_model}
        </span>
      )}
    </>
  );
}

interface RelativeProps extends Pick<Props, 'onFind'> {
  relation: string;
  hint: string;
  keyId: string;
}

function Relative({ relation, hint, keyId, onFind }: RelativeProps) {
  return (
    <span className="block">
      {relation}{' '}
      <button type="button" className="text-accent underline" onClick={() => onFind(keyId)}>
        <code>{hint}</code>
      </button>
    </span>
  );
}
