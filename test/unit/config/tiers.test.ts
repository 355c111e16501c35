import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { standardTiers } from '../../../src/quota/tiers.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';

describe('the tiers of a settings file', () => {
  const directory = temporaryDirectory();
  after(() => directory[Symbol.dispose]());
  const file = join(directory.path, 'embedgate.yaml');
  const tiersOf = (text: string, environment: Record<string, string> = {}) => {
    writeFileSync(file, text);
    return readConfig({ ...environment, EMBEDGATE_CONFIG: file }).tiers;
  };
  const refusal = (text: string, environment: Record<string, string> = {}): string => {
    try {
      tiersOf(text, environment);
    } catch (reason) {
      assert.ok(reason instanceof Error && reason.name === 'ConfigError');
      assert.ok(!reason.message.includes('\n'));
      return reason.message.replace(`${directory.path}/`, '');
    }
    throw new assert.AssertionError({ message: `${text} was accepted` });
  };

  it('replace the four standard ones and work with the built-in model', () => {
    const tiers = tiersOf(
      'tiers:\n  - {name: team, limit: 500000, price: $0}\n  - {name: partner, limit: unlimited, custom_limits: true, weight: 4, room_percent: 75}\n',
    );
    assert.deepEqual(tiers.all, [
      {
        name: 'team',
        monthlyRequests: 500_000,
        price: '$0',
        takesCustomLimit: false,
        weight: 1,
        roomPercent: 50,
      },
      {
        name: 'partner',
        monthlyRequests: null,
        price: null,
        takesCustomLimit: true,
        weight: 4,
        roomPercent: 75,
      },
    ]);
    assert.equal(tiers.default, 'team');
    assert.equal(readConfig({ EMBEDGATE_CONFIG: file }).models.length, 1);
  });

  it('are the standard ones if the file lists none', () => {
    const tiers = tiersOf('models: [{model: universal-sentence-encoder-lite}]');
    assert.deepEqual(tiers.all, standardTiers.all);
  });

  it('have a default that DEFAULT_TIER names', () => {
    assert.equal(readConfig({}).tiers.default, 'free');
    assert.equal(readConfig({ DEFAULT_TIER: 'enterprise' }).tiers.default, 'enterprise');
    const text = 'tiers: [{name: a, limit: 1}, {name: b, limit: 2}]';
    assert.equal(tiersOf(text, { DEFAULT_TIER: 'b' }).default, 'b');
    assert.match(
      refusal(text, { DEFAULT_TIER: 'free' }),
      /^DEFAULT_TIER: "free" is not one of a, b; for example DEFAULT_TIER=a$/,
    );
  });

  it('are refused with one line that names the file, the field, the error and an example', () => {
    const cases: [string, RegExp][] = [
      ['tiers: []', /^embedgate\.yaml: tiers is not a list of one entry or more; for example tiers: \[/],
      ['tiers: [{limit: 1}]', /^embedgate\.yaml: tiers\[0\]\.name is missing; for example name: team$/],
      ['tiers: [{name: "a b", limit: 1}]', /tiers\[0\]\.name has characters other than/],
      [`tiers: [{name: ${'a'.repeat(33)}, limit: 1}]`, /tiers\[0\]\.name .*more than 32/],
      ['tiers: [{name: "a\',\'b", limit: 1}]', /tiers\[0\]\.name has characters other than/],
      [
        'tiers: [{name: a}]',
        /tiers\[0\]\.limit is missing; write unlimited for no limit; for example limit: 500000$/,
      ],
      ['tiers: [{name: a, limit: many}]', /tiers\[0\]\.limit is not a whole number from 0 to/],
      ['tiers: [{name: a, limit: -1}]', /tiers\[0\]\.limit is not a whole number from 0 to/],
      ['tiers: [{name: a, limit: 1, price: 5}]', /tiers\[0\]\.price is not a text; for example price: \$29$/],
      [
        'tiers: [{name: a, limit: 1, per: day}]',
        /tiers\[0\]\.per is not a setting; the settings are name, limit, price, custom_limits, weight, room_percent$/,
      ],
      ['tiers: [{name: a, limit: 1, weight: 0}]', /tiers\[0\]\.weight is not a whole number from 1 to 1000/],
      ['tiers: [{name: a, limit: 1, room_percent: 91}]', /tiers\[0\]\.room_percent is not .* from 1 to 90/],
      ['tiers: [{name: a, limit: 1}, {name: a, limit: 2}]', /tiers names "a" twice/],
    ];
    for (const [text, message] of cases) assert.match(refusal(text), message);
  });
});

describe('settings for browsers and for names of models', () => {
  it('accept origins as browsers send them, or all origins', () => {
    assert.deepEqual(readConfig({}).corsOrigins, []);
    assert.deepEqual(readConfig({ CORS_ORIGINS: '*' }).corsOrigins, ['*']);
    const origins = ['https://app.example.com', 'http://localhost:5173'];
    assert.deepEqual(readConfig({ CORS_ORIGINS: origins.join(', ') }).corsOrigins, origins);
    for (const wrong of [
      'app.example.com',
      'https://app.example.com/',
      'https://APP.example.com',
      'https://a:443',
      'ftp://a',
      'null',
    ]) {
      assert.throws(() => readConfig({ CORS_ORIGINS: wrong }), {
        message: /^CORS_ORIGINS: ".*" is not an origin such as/,
      });
    }
  });

  it('give aliases to the model that the environment names, or to the built-in one', () => {
    const [model] = readConfig({ EMBEDDING_MODEL_ALIASES: 'text-embedding-3-small, docs' }).models;
    assert.deepEqual(model?.aliases, ['text-embedding-3-small', 'docs']);
    assert.throws(() => readConfig({ EMBEDDING_MODEL_ALIASES: 'a'.repeat(201) }), {
      message: /^EMBEDDING_MODEL_ALIASES: one is empty, is longer than 200/,
    });
  });
});
