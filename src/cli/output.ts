/** Prints the result of a command on stdout, as one JSON document or as text. */
export function printResult(options: { json?: boolean }, value: unknown, text: () => string): void {
  console.log(options.json ? json(value) : text());
}

/**
 * Escapes all control characters. JSON.stringify escapes only those below 0x20, but some terminals also obey 0x7f to
 * 0x9f.
 */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\x7f-\x9f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Prints a list in the API's JSON form or as text. `none` is the message for an empty list. */
export function printList(
  options: { json?: boolean },
  data: readonly unknown[],
  text: () => string,
  none: string,
): void {
  if (options.json || data.length > 0) printResult(options, { object: 'list', data }, text);
  else tell(none);
}

/** Prints a message that is not part of the result, on stderr. */
export function tell(message: string): void {
  console.error(withoutControls(message));
}

/** Replaces control characters, which a terminal could obey. Messages repeat arguments and settings. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}
