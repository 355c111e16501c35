import { Link } from '@tanstack/react-router';
import { CircleUser, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuChoices, MenuItem, MenuLink } from '../ui/menu.tsx';
import { setTheme, type Theme, useTheme } from './theme.ts';

const themes = { light: ['Light', Sun], dark: ['Dark', Moon], system: ['System', Monitor] } as const;

export default function UserMenu({ trigger, onSignOut }: { trigger: ReactNode; onSignOut: () => void }) {
  return (
    <Menu trigger={trigger} align="start" startsOpen>
      <MenuLink>
        <Link to="/account">
          <CircleUser aria-hidden />
          Account
        </Link>
      </MenuLink>
      <MenuChoices
        name="Theme"
        options={themes}
        value={useTheme()}
        onChange={(theme) => setTheme(theme as Theme)}
      />
      <MenuItem onSelect={onSignOut}>
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  );
}
