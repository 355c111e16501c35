import { useBlocker } from '@tanstack/react-router';
import { Confirm } from './confirm.tsx';

/** Asks for confirmation before a page with unsaved changes is left. If the whole window is left, the browser asks. */
export function LeaveGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  return (
    <Confirm
      title="Discard your changes?"
      description="You have changed settings on this page and not saved them."
      action="Discard changes"
      open={status === 'blocked'}
      onConfirm={() => proceed?.()}
      onCancel={() => reset?.()}
    />
  );
}
