import { base } from './base.ts';

let isOn = false;

/** Reports whether the page is being left because its person has signed out, which no question may stop. */
export const isLeaving = (): boolean => isOn;

/** The number of secrets on the page that are shown only once. */
export const shownOnce = { count: 0 };

/** Loads another page of the dashboard, or an address, and with it forgets all that this one has. */
export function leaveFor(path: string): void {
  isOn = true;
  location.assign(path.startsWith('/') ? `${base}${path}` : path);
}
