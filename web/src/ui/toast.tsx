import * as Radix from '@radix-ui/react-toast';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

const shownForMs = 8_000;

/** Where messages appear: at the edge of the window, where they move nothing that someone is about to click. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider swipeDirection="right" label="Message">
      {children}
      <Radix.Viewport className="fixed right-4 bottom-4 z-40 grid w-[min(22.25rem,92vw)] gap-2 outline-none max-md:bottom-18 print:hidden" />
    </Radix.Provider>
  );
}

interface Props {
  look: 'danger' | 'warning' | 'success';
  action?: string;
  /** What the button does, if not to dismiss the message. */
  onAction?: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A message. One of success disappears by itself, but not while the pointer is over it. */
export function Toast({ look, action = 'Dismiss', onClose, onAction = onClose, children }: Props) {
  return (
    <Radix.Root
      open
      type={look === 'danger' ? 'foreground' : 'background'}
      duration={look === 'success' ? shownForMs : Number.POSITIVE_INFINITY}
      onOpenChange={(open) => !open && onClose()}
      className="animate-fade rounded-lg border border-line bg-surface shadow-lg"
    >
      <Notice look={look} role={look === 'danger' ? 'alert' : 'status'}>
        <div className="flex items-center justify-between gap-3">
          <Radix.Description className="min-w-0 wrap-anywhere" asChild>
            <div>{children}</div>
          </Radix.Description>
          <Radix.Action asChild altText={action}>
            <Button onClick={onAction}>{action}</Button>
          </Radix.Action>
        </div>
      </Notice>
    </Radix.Root>
  );
}

/** The error of an action on one of many rows, which must not move. */
export function ProblemToast({ error, onClose }: { error: Error | null; onClose: () => void }) {
  return (
    error?.message && (
      <Toast look="danger" onClose={onClose}>
        {error.message}
      </Toast>
    )
  );
}
