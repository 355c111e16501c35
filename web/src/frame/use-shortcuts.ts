import { useEffect } from 'react';

/** How long after the first letter the second one counts. */
const pairMs = 1_000;

/**
 * Runs an action for each shortcut: a key such as `c`, two after one another such as `g u`, or `mod+k`, with Ctrl or ⌘.
 * A key that someone types into a field is theirs.
 */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    let first = '';
    let firstAtMs = 0;
    const listen = (event: KeyboardEvent): void => {
      const { key, target } = event;
      const isMod = event.ctrlKey || event.metaKey;
      const isTyping =
        target instanceof HTMLElement &&
        (target.isContentEditable || target.matches('input, textarea, select'));
      const isAbove = document.querySelector('[data-modal], [role=menu]') !== null;
      if (event.altKey || event.defaultPrevented || (!isMod && (isTyping || isAbove))) return;
      const name = isMod ? `mod+${key.toLowerCase()}` : key;
      const isSecond = !isMod && event.timeStamp - firstAtMs < pairMs;
      const action = (isSecond && actions[`${first} ${name}`]) || actions[name];
      [first, firstAtMs] = [name, event.timeStamp];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [actions]);
}
