import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { isLeaving, shownOnce } from '../lib/leave.ts';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { CopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

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

/** Warns that a key or the like can't be shown again. */
export function OnlyOnce({ what }: { what: string }) {
  return (
    <Notice look="warning">
      This {what} is shown only once. Copy it now and keep it where you keep passwords.
    </Notice>
  );
}

/** Asks before its reader leaves what is shown only once, unless `mayLeave` returns true. */
export function LeaveQuestion({
  what,
  mayLeave,
}: {
  what: string;
  mayLeave: (...leaving: Parameters<ShouldBlockFn>) => boolean;
}) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: (leaving) => !mayLeave(leaving),
    enableBeforeUnload: () => !isLeaving(),
    withResolver: true,
  });
  useEffect(() => {
    shownOnce.count++;
    return () => void shownOnce.count--;
  }, []);
  if (status !== 'blocked') return null;
  return (
    <Confirm
      title={`Have you saved the ${what}?`}
      description="It is not shown again after you leave this page."
      action="Leave the page"
      change={{ mutate: proceed }}
      onClose={reset}
    />
  );
}

interface DialogProps extends Props {
  title: string;
  description?: ReactNode;
  /** Above the secret. */
  notice?: ReactNode;
  /** The text of the button that closes the dialog. */
  done?: string;
  onClose: () => void;
  /** Below the secret. */
  children?: ReactNode;
}

/** Closed only by its button, because a click outside must not lose the secret. */
export function SecretDialog({
  notice,
  text,
  copy,
  done = 'Done',
  onClose,
  children,
  ...dialog
}: DialogProps) {
  const isSaved = useRef(false);
  const close = () => {
    isSaved.current = true;
    onClose();
  };
  return (
    <Dialog {...dialog} onClose={() => {}}>
      {text && <LeaveQuestion what={copy.replace('Copy ', '')} mayLeave={() => isSaved.current} />}
      {notice}
      {text && <Secret text={text} copy={copy} />}
      {children}
      <Button look="primary" className="justify-self-end" onClick={close}>
        {done}
      </Button>
    </Dialog>
  );
}
