import { useState } from 'react';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { type Language, languages, programAddress, snippets } from './snippets.ts';

interface Props {
  /** The key, or a placeholder. */
  secret: string;
  model: string | undefined;
}

/** A request in several languages, to paste. */
export function Example({ secret, model }: Props) {
  const [language, setLanguage] = useState<Language>('curl');
  const text = snippets({ secret, model })[language];
  const address = programAddress();
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented
          legend="Language of the example"
          options={languages}
          value={language}
          onChange={setLanguage}
        />
        <CopyButton text={text} label="Copy example" />
      </div>
      <CodeBlock label="Example" text={text} wrapped className="min-h-32" />
      <p className="flex flex-wrap items-center gap-x-2 text-muted">
        Address for programs, such as Open WebUI or n8n:
        <code className="wrap-anywhere font-mono text-xs">{address}</code>
        <CopyButton text={address} label="Copy address for programs" />
      </p>
    </div>
  );
}
