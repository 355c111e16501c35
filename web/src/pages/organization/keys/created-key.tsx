import { useState } from 'react';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Secret } from '../../../ui/secret.tsx';
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
      <Secret text={secret} copy="Copy key" />
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
        <CodeBlock label="Example" text={example} className="h-40" />
      </div>
    </div>
  );
}
