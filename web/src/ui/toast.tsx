import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

const shownForMs = 10_000;

interface Props {
  look: 'danger' | 'warning' | 'success';
  /** The button's action, if it does not dismiss the message. */
  action?: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A message at the edge of the window, where it moves nothing that someone is about to click. It is at the
 * left, since buttons are at the right. A success message disappears by itself.
 */
export function Toast({ look, action = 'Dismiss', onClose, children }: Props) {
  useEffect(() => {
    if (look !== 'success') return;
    const timer = setTimeout(onClose, shownForMs);
    return () => clearTimeout(timer);
  }, [look, onClose]);
  const place = document.getElementById('toasts');
  return (
    place &&
    createPortal(
      <Notice look={look} role={look === 'danger' ? 'alert' : 'status'}>
        <div className="flex items-center justify-between gap-3">
          <div className="min-w-0 wrap-anywhere">{children}</div>
          <Button onClick={onClose}>{action}</Button>
        </div>
      </Notice>,
      place,
    )
  );
}

/** The error of an action on one of many rows, which must not move. */
export function ProblemToast({ error, onClose }: { error: Error | null; onClose: () => void }) {
  return (
    error && (
      <Toast look="danger" onClose={onClose}>
        {error.message}
      </Toast>
    )
  );
}
