import * as Radix from '@radix-ui/react-alert-dialog';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Backdrop, panelLook } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Problem } from './problem.tsx';

interface Props {
  title: string;
  /** What will happen, and whether it can be undone. */
  description: ReactNode;
  /** What must be typed first, where it weighs heavily. */
  typed?: string;
  /** The verb on the button. */
  action: string;
  open: boolean;
  pending: boolean;
  error: Error | null;
  /** What else is to be decided. */
  children?: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
}

export function Confirm(props: Props) {
  const { title, description, typed, action, open, pending, error, children, onConfirm, onCancel } = props;
  const [text, setText] = useState('');
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <Radix.Portal>
        <Backdrop />
        <Radix.Content aria-modal className={panelLook}>
          <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
          <Radix.Description className="text-muted">{description}</Radix.Description>
          {children}
          {typed !== undefined && (
            <TextField
              label={`Type “${typed}” to confirm`}
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
          <Problem error={error} />
          <div className="flex justify-end gap-2">
            <Radix.Cancel asChild>
              <Button>Cancel</Button>
            </Radix.Cancel>
            <Button
              look="danger"
              disabled={typed !== undefined && text !== typed}
              pending={pending}
              onClick={onConfirm}
            >
              {action}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
