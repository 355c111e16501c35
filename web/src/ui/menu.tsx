import * as Radix from '@radix-ui/react-dropdown-menu';
import { Check, Ellipsis, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';

interface Props {
  trigger: ReactNode;
  align?: 'start' | 'end';
  startsOpen?: boolean;
  children: ReactNode;
}

/**
 * Not modal: a modal one locks scrolling with a style element, which the content security policy blocks. It opens
 * within the page's landmark, so that people who go from landmark to landmark find it.
 */
export function Menu({ trigger, align = 'end', startsOpen = false, children }: Props) {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <Radix.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={document.getElementById('content')}>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-30 min-w-44 max-w-80 animate-fade rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** What can be done with a row of a table. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const trigger = (
    <Button look="icon" aria-label={`Actions on ${name}`}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return <Menu trigger={trigger}>{children}</Menu>;
}

const itemLook =
  'flex min-h-8 w-full items-center gap-2 rounded-sm px-2 py-1 text-left outline-none ' +
  'data-highlighted:bg-raised pointer-coarse:min-h-10 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted';

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

interface ChoicesProps {
  /** What is chosen. */
  name: string;
  /** The name and the icon of each value. */
  options: Readonly<Record<string, readonly [name: string, Icon: LucideIcon]>>;
  value: string;
  onChange: (value: string) => void;
}

/** Items of which one is chosen, between lines. */
export function MenuChoices({ name, options, value, onChange }: ChoicesProps) {
  return (
    <>
      <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
      <Radix.RadioGroup value={value} onValueChange={onChange} aria-label={name}>
        <Radix.Label className="px-2 py-1 text-muted text-xs">{name}</Radix.Label>
        {Object.entries(options).map(([option, [text, Icon]]) => (
          <Radix.RadioItem key={option} value={option} className={itemLook}>
            <Icon aria-hidden />
            {text}
            <Radix.ItemIndicator className="ml-auto">
              <Check aria-hidden className="size-4 text-accent" />
            </Radix.ItemIndicator>
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
      <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
    </>
  );
}
