const maxNameLength = 80;

/**
 * Makes a name safe to mail, because people choose names that the reader may not know. Mail programs turn anything that
 * looks like an address into a link, so the characters that join an address become spaces. So do line breaks and
 * characters that reorder text.
 */
export function harmless(name: string): string {
  const text = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[.:/\\@]+(?=\S)/g, ' ');
  const short = text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text;
  return short.trim();
}

const maxExcerptLength = 100;

/** Returns the beginning of a text that a client sent, to show in an error. */
export function excerpt(text: string): string {
  return text.slice(0, maxExcerptLength).replace(/\p{C}/gu, '\ufffd');
}

/**
 * Replaces control characters, which a terminal could obey, except for ends of lines and tabs. Also replaces characters
 * that reorder text, which could make it look like another one.
 */
export function withoutControls(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD');
}

/** Returns an address without what may be secret in it: of a URL, only the scheme and the host. */
export const withoutSecrets = (address: string): string => URL.parse(address)?.origin ?? address;
