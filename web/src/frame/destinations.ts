import {
  Bell,
  Building2,
  ChartNoAxesColumn,
  CreditCard,
  FlaskConical,
  Gauge,
  HeartPulse,
  KeyRound,
  Layers,
  List,
  type LucideIcon,
  Rocket,
  ScrollText,
  Settings,
  Shapes,
  UserCog,
  Users,
} from 'lucide-react';

/** A page that the sidebar and the palette lead to. */
export interface Destination {
  readonly path: string;
  readonly name: string;
  readonly Icon: LucideIcon;
  /** The letter that follows `g` on the keyboard. */
  readonly letter?: string;
}

/** Below `/organizations/{org_id}/`. */
export const organizationPages: readonly Destination[] = [
  { path: 'start', name: 'Get started', Icon: Rocket, letter: 's' },
  { path: 'usage', name: 'Usage', Icon: ChartNoAxesColumn, letter: 'u' },
  { path: 'requests', name: 'Requests', Icon: List, letter: 'r' },
  { path: 'batches', name: 'Batches', Icon: Layers, letter: 'b' },
  { path: 'keys', name: 'Keys', Icon: KeyRound, letter: 'k' },
  { path: 'playground', name: 'Playground', Icon: FlaskConical, letter: 'p' },
  { path: 'models', name: 'Models', Icon: Shapes, letter: 'm' },
  { path: 'alerts', name: 'Alerts', Icon: Bell, letter: 'a' },
  { path: 'members', name: 'Members', Icon: Users },
  { path: 'audit', name: 'Audit log', Icon: ScrollText },
  { path: 'limits', name: 'Limits', Icon: Gauge },
  { path: 'plan', name: 'Plan', Icon: CreditCard },
  { path: 'settings', name: 'Settings', Icon: Settings },
];

/** For administrators. */
export const servicePages: readonly Destination[] = [
  { path: '/organizations', name: 'Organizations', Icon: Building2, letter: 'o' },
  { path: '/users', name: 'Users', Icon: UserCog },
  { path: '/installation-keys', name: 'Installation keys', Icon: KeyRound },
  { path: '/all-usage', name: 'Totals', Icon: ChartNoAxesColumn },
  { path: '/all-limits', name: 'Limits', Icon: Gauge },
  { path: '/all-audit', name: 'Audit log', Icon: ScrollText },
  { path: '/service', name: 'Health', Icon: HeartPulse },
];
