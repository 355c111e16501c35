import { Monitor, Moon, Sun } from 'lucide-react';
import { MenuChoice, MenuChoices } from '../ui/menu.tsx';
import { setTheme, type Theme, themes, useTheme } from './theme.ts';

const icons = { light: Sun, dark: Moon, system: Monitor } as const;

/** The themes, as items of a menu. */
export function ThemeItems() {
  const theme = useTheme();
  return (
    <MenuChoices name="Theme" value={theme} onChange={(value) => setTheme(value as Theme)}>
      {(Object.keys(themes) as Theme[]).map((value) => {
        const Icon = icons[value];
        return (
          <MenuChoice key={value} value={value}>
            <Icon aria-hidden />
            {themes[value]}
          </MenuChoice>
        );
      })}
    </MenuChoices>
  );
}
