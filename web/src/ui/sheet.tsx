import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Backdrop } from './dialog.tsx';
import { useFocusReturn } from './use-focus-return.ts';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** The details of a row, at the side of the window. */
export function Sheet({ title, onClose, children }: Props) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Backdrop />
        <Panel title={title} onClose={onClose}>
          {children}
        </Panel>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Mounted when it opens, so that it knows which element had the focus. */
function Panel({ title, children }: Props) {
  return (
    <Radix.Content
      aria-modal
      aria-describedby={undefined}
      onCloseAutoFocus={useFocusReturn()}
      className="fixed inset-y-0 right-0 z-30 grid w-[min(30rem,100vw)] animate-fade grid-rows-[auto_1fr] overflow-y-auto border-line border-l bg-surface shadow-xl"
    >
      <header className="sticky top-0 flex min-h-12 items-center justify-between gap-2 border-line border-b bg-surface px-5">
        <Radix.Title className="min-w-0 truncate font-semibold text-lg">{title}</Radix.Title>
        <Radix.Close asChild>
          <Button look="icon" aria-label="Close">
            <X aria-hidden />
          </Button>
        </Radix.Close>
      </header>
      <div className="grid content-start gap-5 p-5">{children}</div>
    </Radix.Content>
  );
}
