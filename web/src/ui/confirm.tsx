import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { useClosing } from './form.tsx';
import { Problem } from './problem.tsx';

interface Props {
  title: string;
  /** What will happen, and whether it can be undone. */
  description: ReactNode;
  /** Text that must be typed first, for serious actions. */
  typed?: string;
  /** The verb on the button. */
  action: string;
  change: { mutate(): void; readonly isPending?: boolean; readonly error?: Error | null };
  onClose: () => void;
  /** Other decisions to make. */
  children?: ReactNode;
}

/** Asks before a change is made. */
export function Confirm({ title, description, typed, action, change, onClose, children }: Props) {
  const [text, setText] = useState('');
  const close = useClosing(change, onClose);
  return (
    <Dialog look="alert" title={title} description={description} onClose={close}>
      {children}
      {typed !== undefined && (
        <TextField
          label={`Type “${typed}” to confirm`}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <Problem error={change.error ?? null} />
      <div className="flex justify-end gap-2">
        <Button autoFocus onClick={close}>
          Cancel
        </Button>
        <Button
          look="danger"
          disabled={typed !== undefined && text !== typed}
          pending={change.isPending ?? false}
          onClick={() => change.mutate()}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
