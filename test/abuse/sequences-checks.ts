import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Browser } from '../helpers/browser.ts';
import type { RunningService } from '../helpers/service.ts';
import { isSound } from './health.ts';
import { Random } from './random.ts';
import { seed, size } from './size.ts';
import { serviceOn, stores } from './stores.ts';

// Random sequences of requests and changes, compared with a model of the valid keys, the counts and the rest
// of the quota.

interface Key {
  readonly id: string;
  readonly secret: string;
  isValid: boolean;
  /** The last one: while it is valid, the key can't be rotated again. */
  successor?: Key;
}

for (const store of stores) {
  describe(`random sequences on ${store}`, () => {
    test('leave keys and quota as a model predicts', async () => {
      await using service = await serviceOn(store);
      const random = new Random(seed);
      for (let run = 0; run < size(10, 2); run++) {
        const model = await Model.on(service, random, { limit: 40 });
        for (let step = 0; step < size(600, 150); step++) await model.step();
        await model.compare();
      }
      await isSound(service);
    });
  });
}

class Model {
  readonly #service: RunningService;
  readonly #random: Random;
  readonly #administrator: Browser;
  readonly #orgId: string;
  readonly #keys: Key[] = [];
  readonly #cached = new Set<string>();
  #limit: number;
  #used = 0;

  private constructor(
    service: RunningService,
    random: Random,
    administrator: Browser,
    orgId: string,
    limit: number,
  ) {
    this.#service = service;
    this.#random = random;
    this.#administrator = administrator;
    this.#orgId = orgId;
    this.#limit = limit;
  }

  static async on(service: RunningService, random: Random, { limit }: { limit: number }): Promise<Model> {
    const [, email = '', password = ''] = /Sign in +(\S+), password (\S+)/.exec(service.stdout()) ?? [];
    const administrator = await new Browser(service.address).signIn({ email, password });
    const { org_id: orgId } = await administrator.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', {
      name: 'modelled',
      tier: 'enterprise',
      limit,
      window: 'month',
    });
    const model = new Model(service, random, administrator, orgId, limit);
    await model.#create();
    return model;
  }

  /** Does something random and compares the result with the model. */
  async step(): Promise<void> {
    const random = this.#random;
    const dice = random.below(100);
    if (dice < 80) await this.#embed(random.pick(this.#keys));
    else if (dice < 85) await this.#create();
    else if (dice < 90) await this.#revoke(random.pick(this.#keys));
    else if (dice < 95) await this.#rotate(random.pick(this.#keys));
    else await this.#changeLimit(this.#used + random.below(20));
  }

  async compare(): Promise<void> {
    const key = this.#keys.find(({ isValid }) => isValid) ?? (await this.#create());
    const response = await fetch(`${this.#service.address}/v1/usage`, {
      headers: { authorization: `Bearer ${key.secret}` },
    });
    assert.equal(response.status, 200);
    assert.equal(
      Number(response.headers.get('x-ratelimit-remaining')),
      Math.max(0, this.#limit - this.#used),
    );
  }

  async #embed(key: Key): Promise<void> {
    const texts = Array.from({ length: 1 + this.#random.below(3) }, () => `text ${this.#random.below(60)}`);
    const response = await fetch(`${this.#service.address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: texts }),
    });
    const body = (await response.json()) as { cached?: boolean };
    const isCached = texts.every((text) => this.#cached.has(text));
    const expected = !key.isValid ? 401 : isCached || this.#used < this.#limit ? 200 : 429;
    assert.equal(
      response.status,
      expected,
      JSON.stringify({ texts, body, used: this.#used, limit: this.#limit }),
    );
    if (expected === 401) return;
    if (expected === 200) {
      assert.equal(body.cached, isCached);
      if (!isCached) this.#used += 1;
      for (const text of texts) this.#cached.add(text);
    }
    assert.equal(
      Number(response.headers.get('x-ratelimit-remaining')),
      Math.max(0, this.#limit - this.#used),
    );
  }

  async #create(): Promise<Key> {
    const made = await this.#ask<{ key_id: string; key: string }>(201, 'POST', '/keys', { name: 'modelled' });
    return this.#add(made);
  }

  #add(made: { key_id: string; key: string }): Key {
    const key: Key = { id: made.key_id, secret: made.key, isValid: true };
    this.#keys.push(key);
    return key;
  }

  async #revoke(key: Key): Promise<void> {
    await this.#ask(200, 'POST', `/keys/${key.id}/revoke`);
    key.isValid = false;
  }

  async #rotate(key: Key): Promise<void> {
    if (!key.isValid || key.successor?.isValid) {
      await this.#ask(400, 'POST', `/keys/${key.id}/rotate`, { grace_seconds: 3_600 });
      return;
    }
    key.successor = this.#add(
      await this.#ask(201, 'POST', `/keys/${key.id}/rotate`, { grace_seconds: 3_600 }),
    );
  }

  async #changeLimit(requests: number): Promise<void> {
    this.#limit = Math.max(1, requests);
    await this.#ask(200, 'PUT', '/tier', { tier: 'enterprise', limit: this.#limit, window: 'month' });
  }

  #ask<R>(status: number, method: string, path: string, body?: unknown): Promise<R> {
    return this.#administrator.ask<R>(status, method, `/v1/organizations/${this.#orgId}${path}`, body);
  }
}
