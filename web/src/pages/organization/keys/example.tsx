import { useState } from 'react';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { type Language, languages, snippets } from './snippets.ts';

interface Props {
  /** The key, or a placeholder. */
  secret: string;
  /** What stands for the key on the screen, if the copied example has the key itself. */
  shown?: string | undefined;
  model: string | undefined;
}

/** A request in several languages, to paste. */
export function Example({ secret, shown = secret, model }: Props) {
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented
          legend="Language of the example"
          options={languages}
          value={language}
          onChange={setLanguage}
        />
        <CopyButton text={snippets({ secret, model })[language]} label="Copy example" />
      </div>
      <CodeBlock
        label="Example"
        text={snippets({ secret: shown, model })[language]}
        wrapped
        className="min-h-32"
      />
    </div>
  );
}
