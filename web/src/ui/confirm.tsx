import * as Radix from '@radix-ui/react-alert-dialog';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Backdrop, panelLook } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface Props {
  title: string;
  /** What will happen, and whether it can be undone. */
  description: ReactNode;
  /** The verb on the button. */
  action: string;
  open: boolean;
  pending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onCancel: () => void;
}

export function Confirm({ title, description, action, open, pending, error, onConfirm, onCancel }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <Radix.Portal>
        <Backdrop />
        <Radix.Content aria-modal className={panelLook}>
          <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
          <Radix.Description className="text-muted">{description}</Radix.Description>
          <Problem error={error} />
          <div className="flex justify-end gap-2">
            <Radix.Cancel asChild>
              <Button>Cancel</Button>
            </Radix.Cancel>
            <Button look="danger" pending={pending} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
