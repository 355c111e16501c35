import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../../web/src/', import.meta.url));
const tokens = readFileSync(join(source, 'styles/tokens.css'), 'utf8');

/** The light and the dark colour of each token. */
const colours = new Map(
  [...tokens.matchAll(/--color-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
);
type Scheme = 'light' | 'dark';

/** Returns the relative luminance, as WCAG 2 defines it. */
function luminanceOf(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrastOf(one: string, other: string, scheme: Scheme): number {
  const [a, b] = [one, other].map((name) => {
    const colour = colours.get(name);
    assert.ok(colour, `there is no colour ${name}`);
    return luminanceOf(colour[scheme]) + 0.05;
  }) as [number, number];
  return Math.max(a, b) / Math.min(a, b);
}

const backgrounds = ['page', 'surface', 'sunken', 'raised'];
const texts = ['ink', 'muted', 'accent', 'danger', 'warning', 'success'];

/** Text, and what it is written on. */
const textPairs = [
  ...texts.flatMap((text) => backgrounds.map((background) => [text, background] as const)),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
  ['ink', 'accent-soft'],
  ['ink', 'danger-soft'],
  ['ink', 'warning-soft'],
  ['ink', 'success-soft'],
  ['danger', 'danger-soft'],
  ['warning', 'warning-soft'],
  ['ink', 'heat'],
  ['page', 'success'],
] as const;

/** Edges of controls and what is beside them, and parts of charts that touch. */
const graphicPairs = [
  ...backgrounds.map((background) => ['edge', background] as const),
  ['counted', 'cached'],
  ['cached', 'failed'],
  ['failed', 'page'],
  ...[1, 2, 3, 4, 5].map((number) => [`series-${number}`, `series-${number + 1}`] as const),
] as const;

describe('the colours of the dashboard', () => {
  for (const scheme of ['light', 'dark'] as const) {
    test(`text has a contrast of at least 4.5 : 1 in ${scheme}`, () => {
      for (const [text, background] of textPairs) {
        const contrast = contrastOf(text, background, scheme);
        assert.ok(contrast >= 4.5, `${text} on ${background}: ${contrast.toFixed(2)}`);
      }
    });
    test(`edges and parts of charts that touch have a contrast of at least 3 : 1 in ${scheme}`, () => {
      for (const [one, other] of graphicPairs) {
        const contrast = contrastOf(one, other, scheme);
        assert.ok(contrast >= 3, `${one} and ${other}: ${contrast.toFixed(2)}`);
      }
    });
  }

  test('no other file names a colour', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.(?:css|tsx?)$/.test(name) && !name.endsWith('tokens.css'),
    );
    const naming = files.filter((name) =>
      /#[0-9a-f]{6}\b|\brgba?\(|\boklch\(/i.test(readFileSync(join(source, name), 'utf8')),
    );
    assert.deepEqual(naming, []);
  });
});
