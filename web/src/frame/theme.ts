import { useSyncExternalStore } from 'react';

export const themes = { light: 'Light', dark: 'Dark', system: 'System' } as const;
export type Theme = keyof typeof themes;

/** Also read by public/theme.js. */
const storageKey = 'theme';
const changed = 'embedgate-theme';

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Shows the pages in a theme from now on, in this browser. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(storageKey);
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(storageKey, theme);
  }
  dispatchEvent(new Event(changed));
}

function subscribe(listener: () => void): () => void {
  addEventListener(changed, listener);
  return () => removeEventListener(changed, listener);
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme);

/** Reports whether the page is dark now, by the reader's choice or by that of their system. */
export function isDark(): boolean {
  const theme = currentTheme();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}
