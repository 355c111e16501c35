/**
 * Returns the page to open after a sign-in. `next` comes from the address, which anyone may have written, so it must
 * not lead to another site.
 */
export function ownPath(next: string | undefined): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/organizations';
}
