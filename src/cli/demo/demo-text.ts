import { fields } from '../table.ts';
import type { Demo, Seen } from './run-demo.ts';

const barLength = 30;
const standingHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
];

/** Returns the demo as readable text. */
export function demoText(demo: Demo): string {
  return [
    `Embedgate with ${demo.model} on ${demo.address}`,
    section('1. Three sentences in, three vectors out: how similar are they?', [
      ...demo.sentences.map((sentence, i) => `${letter(i)}  ${sentence}`),
      '',
      ...demo.similarities.map(similarityLine),
      '',
      `${request(demo.computed)}, ${demo.dimensions} numbers a vector`,
    ]),
    section(
      '2. Every response shows the quota of the organization',
      headerLines(demo.computed, standingHeaders),
    ),
    section('3. The same request again comes from the cache: nothing is computed, nothing is counted', [
      `${request(demo.cached)}, "cached": ${demo.cached.cached}`,
      ...headerLines(demo.cached, ['x-ratelimit-remaining']),
    ]),
    section('4. The limit is set to 1 request a month and used up: the next text is refused', [
      request(demo.limited),
      JSON.stringify(demo.limited.error),
      ...headerLines(demo.limited, ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after']),
    ]),
    section('5. The key is revoked: the very next request is refused', [
      request(demo.revoked),
      JSON.stringify(demo.revoked.error),
    ]),
    '\nThe temporary data is deleted. To run your own service: npm start',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string {
  return ['', title, '', ...lines.map((line) => (line === '' ? '' : `   ${line}`))].join('\n');
}

function similarityLine({ pair: [a, b], cosine }: Demo['similarities'][number]): string {
  const filled = Math.round(Math.max(0, cosine) * barLength);
  return `${letter(a)} ~ ${letter(b)}  ${cosine.toFixed(2).padStart(5)}  ${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}`;
}

function headerLines({ headers }: Seen, names: readonly string[]): string[] {
  return fields(names.map((name) => [`${name}:`, headers[name] ?? ''])).split('\n');
}

function request({ status }: Seen): string {
  return `POST /v1/embeddings → ${status}`;
}

function letter(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index);
}
