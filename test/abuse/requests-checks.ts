import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../helpers/random.ts';
import type { RunningService } from '../helpers/service.ts';
import { Actors } from './actors.ts';
import { Asker, type Question } from './ask.ts';
import { faultOf, type Operation, operationsOf } from './documented.ts';
import { healthOf, isSound, recovers } from './health.ts';
import { HostileValues } from './hostile-values.ts';
import { seed, serviceOn, size, stores } from './stores.ts';

// Every documented operation, requested with a key, with a session and with neither, with values that a
// schema accepts or nearly accepts. The status and the shape of each response have to be documented.

const concurrency = 8;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND'];
// Checking a password takes a core 60 ms.
const slow = new Set([
  'signIn',
  'signUp',
  'acceptInvitation',
  'createUser',
  'changePassword',
  'resetPassword',
]);

for (const store of stores) {
  describe(`requests to a service on ${store}`, () => {
    test('all get a documented response and leave the service as healthy as before', async () => {
      // The administrator's own session and the bounds on attempts must not end the run, so each request
      // comes from an address of its own.
      await using service = await serviceOn(store, { TRUSTED_PROXIES: '127.0.0.1', SIGN_UP: 'open' });
      const fuzzer = await Fuzzer.on(service);
      await fuzzer.run(size(300, 150));
      const before = await healthOf(service);
      const count = size(store === 'SQLite' ? 80_000 : 20_000, store === 'SQLite' ? 2_500 : 1_000);
      await fuzzer.run(count);
      console.log(`${count} requests on ${store}: ${fuzzer.summary}`);
      assert.deepEqual([...fuzzer.faults], []);
      await recovers(service, before, 256);
      await isSound(service);
    });
  });
}

class Fuzzer {
  readonly faults = new Map<string, string>();
  readonly #statuses = new Map<number, number>();
  readonly #service: RunningService;
  readonly #operations: readonly Operation[];
  readonly #actors: Actors;
  readonly #random: Random;
  readonly #values: HostileValues;

  private constructor(
    service: RunningService,
    operations: readonly Operation[],
    actors: Actors,
    random: Random,
  ) {
    this.#service = service;
    this.#operations = operations;
    this.#actors = actors;
    this.#random = random;
    this.#values = new HostileValues(random, plausible(random));
  }

  static async on(service: RunningService): Promise<Fuzzer> {
    const random = new Random(seed);
    const document = await (await fetch(`${service.address}/openapi.json`)).json();
    return new Fuzzer(service, operationsOf(document), await Actors.on(service, random), random);
  }

  get summary(): string {
    return [...this.#statuses]
      .sort()
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
  }

  async run(count: number): Promise<void> {
    using asker = new Asker(this.#service.address, { connections: concurrency });
    let left = count;
    const ask = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        if (left % 500 === 0) await this.#actors.renew();
        await this.#one(asker);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, ask));
  }

  async #one(asker: Asker): Promise<void> {
    const { operation, meant, question } = this.#question();
    try {
      const received = await asker.ask(question);
      this.#statuses.set(received.status, (this.#statuses.get(received.status) ?? 0) + 1);
      const fault = faultOf(meant, question.method, received);
      if (fault) this.#found(`${operation.id}: ${fault}`, question);
      if (
        received.status < 300 &&
        received.body !== '' &&
        String(received.headers['content-type']).startsWith('application/json;')
      ) {
        this.#actors.learn(JSON.parse(received.body));
      }
    } catch (reason) {
      this.#found(`${operation.id}: no response: ${reason}`, question);
    }
  }

  #found(fault: string, question: Question): void {
    if (this.faults.size > 50 || this.faults.has(fault)) return;
    this.faults.set(fault, `${question.method} ${question.path} ${String(question.body).slice(0, 300)}`);
  }

  /** `meant`: the operation that documents the response; undefined if none does. */
  #question(): { operation: Operation; meant: Operation | undefined; question: Question } {
    const random = this.#random;
    let operation = random.pick(this.#operations);
    if (slow.has(operation.id) && random.chance(0.8)) operation = random.pick(this.#operations);
    const method = random.chance(0.02) ? random.pick(methods) : operation.method;
    const isElsewhere = random.chance(0.02);
    const meant = isElsewhere
      ? undefined
      : this.#operations.find((one) => one.path === operation.path && one.method === method);
    const body = this.#body(operation);
    const path =
      this.#path(operation) + (isElsewhere ? random.pick(['/', '/x', '%ff', ';a=b', '/../..']) : '');
    const question = {
      method,
      path: path + this.#query(operation),
      headers: {
        ...this.#caller(operation),
        'x-forwarded-for': this.#address(),
        ...(body !== undefined && this.#type()),
      },
      body,
    };
    return { operation, meant, question };
  }

  #path({ path, id }: Operation): string {
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const random = this.#random;
      if (random.chance(0.05)) return encodeURIComponent(this.#values.text().toWellFormed()) || 'x';
      if (name === 'org_id' && id !== 'deleteOrganization' && random.chance(0.8)) return this.#actors.orgId;
      const known = this.#actors.ids[name];
      return known ? random.pick(known) : random.hex(32);
    });
  }

  #query({ queryNames }: Operation): string {
    const random = this.#random;
    const chosen = queryNames.filter(() => random.chance(0.4));
    const value = (): string =>
      random.chance(0.5)
        ? random.pick(['2026-11-01', '2026-11-30', '7', 'month', 'day', 'csv'])
        : this.#values.text();
    const pairs = chosen.map((name) => `${name}=${encodeURIComponent(value().toWellFormed())}`);
    if (random.chance(0.02)) pairs.push('x=%00');
    return pairs.length > 0 ? `?${pairs.join('&')}` : '';
  }

  #body({ body }: Operation): string | undefined {
    const random = this.#random;
    if (!body) return random.chance(0.05) ? '{}' : undefined;
    const json = JSON.stringify(this.#values.of(body, ''));
    if (random.chance(0.97)) return json;
    return random.pick([
      '',
      '{',
      `${'['.repeat(9_000)}`,
      json.slice(0, -1),
      `${json}x`,
      '\u0000',
      'a'.repeat(20_000),
    ]);
  }

  #type(): Record<string, string> {
    const { chance, pick } = this.#drawing;
    return chance(0.98)
      ? { 'content-type': 'application/json' }
      : {
          'content-type': pick([
            'text/plain',
            'application/json; charset=latin1',
            'x',
            'multipart/form-data',
          ]),
        };
  }

  #caller({ path, takesKey, takesSession }: Operation): Record<string, string> {
    const { chance, pick } = this.#drawing;
    const actors = this.#actors;
    if (takesKey && chance(takesSession ? 0.4 : 0.85)) return { authorization: `Bearer ${actors.key}` };
    if (chance(0.1)) {
      const broken = [
        actors.revokedKey,
        `${actors.key}0`,
        `sk_${this.#random.hex(64)}`,
        actors.key.toUpperCase(),
        '',
      ];
      return { authorization: `Bearer ${pick(broken)}` };
    }
    if (!takesSession || chance(0.1)) return {};
    const origin = chance(0.95) ? this.#service.address : 'https://evil.example.com';
    // Except for the caller itself, because the run needs the administrator's session.
    const isAboutCaller = path.startsWith('/v1/me') || path.startsWith('/v1/auth');
    const browser = isAboutCaller || chance(0.5) ? actors.member : actors.administrator;
    return { cookie: browser.cookie, origin };
  }

  #address(): string {
    const { below } = this.#drawing;
    return `10.${below(256)}.${below(256)}.${below(256)}`;
  }

  get #drawing() {
    const random = this.#random;
    return {
      chance: (share: number) => random.chance(share),
      pick: <T>(values: readonly T[]) => random.pick(values),
      below: (limit: number) => random.below(limit),
    };
  }
}

function plausible(random: Random): Readonly<Record<string, () => unknown>> {
  const text = (): string => `pool ${random.below(300)}`;
  return {
    input: () => (random.chance(0.6) ? text() : Array.from({ length: 1 + random.below(5) }, text)),
    model: () => 'all-MiniLM-L6-v2',
    dimensions: () => random.pick([1, 256, 384]),
    email: () => `u${random.hex(6)}@example.com`,
    name: () => `name ${random.hex(4)}`,
    password: () => random.pick(['correct horse battery', 'short', 'p'.repeat(129)]),
    tier: () => random.pick(['free', 'pro', 'scale', 'enterprise']),
    expires_in_days: () => random.pick([1, 30, 365]),
    grace_seconds: () => random.pick([0, 60, 3_600]),
    address: () =>
      random.pick(['https://127.0.0.1:1/hook', 'https://[::1]/', 'ftp://127.0.0.1/', 'x@example.com']),
    thresholds: () => random.pick([[50, 80], [100, 1], [0], []]),
    return_to: () => random.pick(['/organizations', '//evil.example.com', '/a\r\nb']),
  };
}
