/** Replaces control characters, which a terminal could obey, except for ends of lines and tabs. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}
