/** The result of a command: one JSON document or a text, on stdout. */
export function printResult(options: { json?: boolean }, value: unknown, text: () => string): void {
  console.log(options.json ? json(value) : text());
}

/** JSON.stringify escapes the control characters below 0x20 only; some terminals obey those from 0x7f to 0x9f as well. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\x7f-\x9f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A list as the API answers it, or as text; `none` tells that there is nothing to show. */
export function printList(
  options: { json?: boolean },
  data: readonly unknown[],
  text: () => string,
  none: string,
): void {
  if (options.json || data.length > 0) printResult(options, { object: 'list', data }, text);
  else tell(none);
}

/** What is said beside the result, on stderr. */
export function tell(message: string): void {
  console.error(withoutControls(message));
}

/** Arguments and settings are repeated in messages, and may hold what a terminal would obey. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}
