import { CopyButton } from './copy-button.tsx';

interface Props {
  text: string;
  /** What is copied, such as `Copy key`. */
  copy: string;
}

/** Something that is shown this once, to be taken away. */
export function Secret({ text, copy }: Props) {
  return (
    <div className="flex items-start gap-2">
      <code data-testid="secret" className="min-w-0 flex-1 break-all rounded bg-raised p-2">
        {text}
      </code>
      <CopyButton text={text} label={copy} />
    </div>
  );
}
