import { useState } from 'react';

/**
 * The element that opened the first of several dialogs that follow one another, such as the form for a key
 * and then the key itself.
 */
let lastOpener: readonly HTMLElement[] = [];

/**
 * The element that had the focus before, and its ancestors. For an item of a menu, which is about to close,
 * the button that opened it.
 */
function openersOf(): readonly HTMLElement[] {
  const { activeElement } = document;
  const button = activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : activeElement;
  const isInPage = opener && opener !== document.body && !opener.closest('[role=dialog], [role=alertdialog]');
  if (isInPage) lastOpener = pathOf(opener);
  return lastOpener;
}

function pathOf(element: Element): readonly HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at instanceof HTMLElement) path.push(at);
  }
  return path;
}

/**
 * For something that opens above the page: returns the focus when it closes, to the nearest element if the
 * opener is gone, such as the table of a row that lost its menu. While another dialog is open, the focus stays in that.
 * Radix does this only for its own triggers.
 */
export function useFocusReturn(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  const [openers] = useState(openersOf);
  return (event) => {
    const open = document.querySelector('[role=dialog], [role=alertdialog]');
    if (open) {
      event.preventDefault();
      if (before instanceof HTMLElement && open.contains(before)) before.focus();
      return;
    }
    const target = openers.find(
      (element, i) => element.isConnected && (i === 0 || element.hasAttribute('tabindex')),
    );
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
}
