import { useState } from 'react';

/** What had the focus before; for an item of a menu, which is about to close, the button that opened the menu. */
function openerOf(): HTMLElement | null {
  const { activeElement } = document;
  const button = activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : activeElement;
  return opener instanceof HTMLElement ? opener : null;
}

/** For something that opens above the page: gives the focus back when it closes. Radix does so only for its own triggers. */
export function useFocusReturn(): (event: Event) => void {
  const [opener] = useState(openerOf);
  return (event) => {
    if (!opener?.isConnected) return;
    event.preventDefault();
    opener.focus();
  };
}
