import { useState } from 'react';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Secret } from '../../../ui/secret.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { type Language, languages, snippets } from './snippets.ts';

interface Props {
  secret: string;
  model: string;
}

/** The only time that a key is shown. */
export function CreatedKey({ secret, model }: Props) {
  const examples = snippets(location.origin, model, secret);
  const [language, setLanguage] = useState<Language>('curl');
  const example = examples[language];
  return (
    <div className="grid min-w-0 gap-4">
      <Notice look="warning">
        This key is shown only once. Copy it now and keep it where you keep passwords.
      </Notice>
      <Secret text={secret} copy="Copy key" />
      <div className="grid min-w-0 gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Segmented
            legend="Language of the example"
            options={languages}
            value={language}
            onChange={setLanguage}
          />
          <CopyButton text={example} label="Copy example" />
        </div>
        <CodeBlock label="Example" text={example} className="h-40" />
      </div>
    </div>
  );
}
