/** The result of a command: one JSON document or a text, on stdout. */
export function printResult(options: { json?: boolean }, value: unknown, text: () => string): void {
  console.log(options.json ? JSON.stringify(value, null, 2) : text());
}

/** What is said beside the result, on stderr. */
export function tell(message: string): void {
  console.error(message);
}
