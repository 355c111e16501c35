import * as Radix from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { useFocusReturn } from './use-focus-return.ts';

interface Props {
  title: string;
  description?: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

export const panelLook =
  'fixed top-1/2 left-1/2 z-30 grid max-h-[92dvh] w-[min(36rem,94vw)] -translate-1/2 grid-cols-1 gap-4 overflow-y-auto wrap-anywhere animate-scale rounded-lg border border-line bg-surface p-6 shadow-xl';

/**
 * Without Radix' own overlay: it locks scrolling with a style element, which the content security policy
 * blocks. The rules for `data-modal` in styles.css do the same.
 */
export function Backdrop() {
  return <div data-modal className="fixed inset-0 z-20 animate-fade bg-black/50" />;
}

export function Dialog({ title, description, open, onOpenChange, children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Backdrop />
        <Panel title={title} description={description}>
          {children}
        </Panel>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Mounted when the dialog opens, so that it knows which element had the focus. */
function Panel({ title, description, children }: Pick<Props, 'title' | 'description' | 'children'>) {
  return (
    <Radix.Content
      aria-modal
      className={panelLook}
      onCloseAutoFocus={useFocusReturn()}
      {...(!description && { 'aria-describedby': undefined })}
    >
      <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
      {description && <Radix.Description className="text-muted">{description}</Radix.Description>}
      {children}
    </Radix.Content>
  );
}
