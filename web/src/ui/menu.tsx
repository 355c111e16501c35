import * as Radix from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';

interface Props {
  trigger: ReactNode;
  children: ReactNode;
}

/** Not modal: a modal one locks scrolling with a style element, which the content security policy blocks. */
export function Menu({ trigger, children }: Props) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-20 min-w-44 rounded-md border border-line bg-surface p-1 shadow-lg"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const itemLook =
  'flex min-h-9 w-full items-center rounded px-2.5 py-1.5 text-left outline-none data-highlighted:bg-raised';

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Radix.Item className={itemLook} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

/** An item that is a link. */
export function MenuLink({ children }: { children: ReactNode }) {
  return (
    <Radix.Item asChild className={itemLook}>
      {children}
    </Radix.Item>
  );
}
