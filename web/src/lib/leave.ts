import { base } from './base.ts';

let isOn = false;

/** Reports whether the page is being left because its person has signed out, which no question may stop. */
export const isLeaving = (): boolean => isOn;

/** Loads another page, and with it forgets all that this one has. */
export function leaveFor(path: string): void {
  isOn = true;
  location.assign(`${base}${path}`);
}
