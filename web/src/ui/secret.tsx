import { CopyButton } from './copy-button.tsx';

interface Props {
  text: string;
  /** The label of the copy button, such as `Copy key`. */
  copy: string;
}

/** A secret that is shown only once, to be copied. */
export function Secret({ text, copy }: Props) {
  return (
    <div className="flex items-start gap-2">
      <code data-testid="secret" className="min-w-0 flex-1 break-all rounded-md bg-raised p-2">
        {text}
      </code>
      <CopyButton text={text} label={copy} />
    </div>
  );
}
