import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SettingValues, text, valid } from '../../small/src/settings.ts';

const isDay = (text: string): boolean =>
  Number.isFinite(Date.parse(text)) && new Date(text).toISOString().startsWith(`${text}T`);
const day = valid(isDay, 'is not a day', '2027-01-31');

/** What an operator can state about a model, beside its languages. */
export const facts = {
  license: valid((id) => /^[\w.+-]+$/.test(id), 'is not an SPDX id', 'Apache-2.0'),
  deprecated: day,
  sunset: day,
  replacement: text(null, 'docs'),
};

/** What is stated about a model and changes nothing in it. Null or absent: nothing is. */
export interface Facts extends Partial<SettingValues<typeof facts>> {
  readonly languages?: readonly string[] | null | undefined;
}

/** More than the metadata of any model. */
const maxCardLength = 64 << 10;

export const isLanguage = (code: string): boolean => /^[a-z]{2,3}(-[a-z\d]{1,8})*$/i.test(code);

/** Hugging Face writes these SPDX ids in lower case, beside names that are none, such as `gemma`. */
const licenses =
  'Apache-2.0 MIT BSD-2-Clause BSD-3-Clause CC0-1.0 CC-BY-3.0 CC-BY-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0 CC-BY-NC-3.0 ' +
  'CC-BY-NC-4.0 CC-BY-NC-SA-4.0 CC-BY-NC-ND-4.0 MPL-2.0 EUPL-1.2';

/**
 * Returns what the metadata at the beginning of a model's README.md states. Never fails, because a model needs none.
 */
export async function readModelCard(directory: string): Promise<Facts> {
  const file = await readFile(join(directory, 'README.md'), 'utf8').catch(() => '');
  const card = file.slice(0, maxCardLength);
  const metadata = /^---\r?\n.*?\n---/s.exec(card)?.[0].replace(/ #.*/g, '') ?? '';
  const language = /^language:.*(\n([ \t]|- ).*)*/m.exec(metadata)?.[0].slice('language:'.length);
  const license = /^license:[ \t]*["']?([\w.+-]{1,100})/m.exec(metadata)?.[1];
  return {
    languages: language?.match(/\w[\w-]*/g),
    license: licenses.split(' ').find((id) => id.toLowerCase() === license?.toLowerCase()) ?? license ?? null,
  };
}
