import * as Radix from '@radix-ui/react-alert-dialog';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Backdrop, panelLook } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Problem } from './problem.tsx';
import { useFocusReturn } from './use-focus-return.ts';

interface PanelProps {
  title: string;
  /** What will happen, and whether it can be undone. */
  description: ReactNode;
  /** Text that must be typed first, for serious actions. */
  typed?: string;
  /** The verb on the button. */
  action: string;
  pending?: boolean;
  error?: Error | null;
  /** Other decisions to make. */
  children?: ReactNode;
  onConfirm: () => void;
}

interface Props extends PanelProps {
  open: boolean;
  onCancel: () => void;
}

export function Confirm({ open, onCancel, ...panel }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <Radix.Portal>
        <Backdrop />
        <Panel {...panel} />
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Mounted when it opens, so that it knows which element had the focus, and starts empty. */
function Panel({ title, description, typed, action, pending, error, children, onConfirm }: PanelProps) {
  const [text, setText] = useState('');
  return (
    <Radix.Content aria-modal className={panelLook} onCloseAutoFocus={useFocusReturn()}>
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
      <Problem error={error ?? null} />
      <div className="flex justify-end gap-2">
        <Radix.Cancel asChild>
          <Button>Cancel</Button>
        </Radix.Cancel>
        <Button
          look="danger"
          disabled={typed !== undefined && text !== typed}
          pending={pending ?? false}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </div>
    </Radix.Content>
  );
}
