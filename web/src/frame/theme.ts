import { sharedState } from '../lib/shared-state.ts';

export type Theme = 'light' | 'dark' | 'system';

/** Also read by public/theme.js. */
const storageKey = 'theme';
const { theme: first } = document.documentElement.dataset;
const current = sharedState<Theme>(first === 'light' || first === 'dark' ? first : 'system');
export const useTheme = current.use;

/** Shows the pages in a theme from now on, in this browser. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(storageKey);
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(storageKey, theme);
  }
  current.set(theme);
}

/** Reports whether the page is dark now, by the reader's choice or by that of their system. */
export function isDark(): boolean {
  const theme = current.get();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}
