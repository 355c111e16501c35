import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { useFocusReturn } from './use-focus-return.ts';

const middle =
  'top-1/2 left-1/2 max-h-[92dvh] w-[min(36rem,94vw)] -translate-1/2 gap-4 overflow-y-auto wrap-anywhere ' +
  'animate-scale rounded-lg border p-6';
const looks = {
  /** Has what someone types, or decides, and so does not close by a click beside it. */
  middle,
  alert: middle,
  /** The details of a row, at the side of the window. */
  side: 'inset-y-0 right-0 w-[min(30rem,100vw)] animate-fade content-start gap-5 overflow-y-auto border-l px-5 pb-5',
  /** A search, which needs no visible title. */
  top: 'top-[12dvh] left-1/2 w-[min(36rem,94vw)] -translate-x-1/2 animate-scale overflow-clip rounded-lg border',
} as const;

interface Props {
  title: string;
  description?: ReactNode;
  look?: keyof typeof looks;
  onClose: () => void;
  children: ReactNode;
}

/** See dialog.tsx. */
export default function DialogPanel(props: Props) {
  return (
    <Radix.Root open onOpenChange={() => props.onClose()}>
      <Radix.Portal>
        {/* Without Radix' own overlay: it locks scrolling with a style element, which the content security policy
            blocks. The rules for `data-modal` in styles.css do the same. */}
        <div data-modal className="fixed inset-0 z-20 animate-fade bg-black/50" />
        <Panel {...props} />
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Mounted when the dialog opens, so that it knows which element had the focus. */
function Panel({ title, description, look = 'middle', children }: Props) {
  const name = (
    <Radix.Title
      dir="auto"
      className={
        look === 'top' ? 'sr-only' : `font-semibold text-lg ${look === 'side' ? 'min-w-0 truncate' : ''}`
      }
    >
      {title}
    </Radix.Title>
  );
  return (
    <Radix.Content
      aria-modal
      role={look === 'alert' ? 'alertdialog' : 'dialog'}
      className={`fixed z-30 grid grid-cols-1 border-line bg-surface shadow-xl ${looks[look]}`}
      onCloseAutoFocus={useFocusReturn()}
      onInteractOutside={(event) => ['middle', 'alert'].includes(look) && event.preventDefault()}
      {...(!description && { 'aria-describedby': undefined })}
    >
      {look === 'side' ? (
        <header className="sticky top-0 -mx-5 flex min-h-12 items-center justify-between gap-2 border-line border-b bg-surface px-5">
          {name}
          <Radix.Close asChild>
            <Button look="icon" aria-label="Close">
              <X aria-hidden />
            </Button>
          </Radix.Close>
        </header>
      ) : (
        name
      )}
      {description && <Radix.Description className="text-muted">{description}</Radix.Description>}
      {children}
    </Radix.Content>
  );
}
