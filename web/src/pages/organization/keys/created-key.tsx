import { useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { snippets } from './snippets.ts';

interface Props {
  secret: string;
  model: string;
}

/** The one time that a key is shown. */
export function CreatedKey({ secret, model }: Props) {
  const examples = snippets(location.origin, model, secret);
  const [language, setLanguage] = useState('curl');
  const example = examples[language] ?? '';
  return (
    <div className="grid min-w-0 gap-4">
      <Notice look="warning">
        This key is shown only now. Copy it and keep it where you keep passwords.
      </Notice>
      <div className="flex items-start gap-2">
        <code data-testid="secret" className="min-w-0 flex-1 break-all rounded bg-raised p-2">
          {secret}
        </code>
        <CopyButton text={secret} label="Copy key" />
      </div>
      <div className="grid min-w-0 gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <fieldset className="flex gap-1">
            <legend className="sr-only">Language of the example</legend>
            {Object.keys(examples).map((name) => (
              <label
                key={name}
                className="cursor-pointer rounded px-2 py-1 has-checked:bg-raised has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  name="language"
                  className="sr-only"
                  checked={name === language}
                  onChange={() => setLanguage(name)}
                />
                {name}
              </label>
            ))}
          </fieldset>
          <CopyButton text={example} label="Copy example" />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys */}
        <pre tabIndex={0} className="h-40 overflow-auto rounded bg-raised p-3 text-xs">
          <code>{example}</code>
        </pre>
      </div>
    </div>
  );
}
