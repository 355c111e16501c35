import { Browser } from '../helpers/browser.ts';
import type { Random } from '../helpers/random.ts';
import type { RunningService } from '../helpers/service.ts';

/** The callers, and what their requests can refer to. Anything that a run deletes is created again. */
export class Actors {
  readonly #service: RunningService;
  readonly #administrator: Browser;
  readonly #random: Random;
  #administratorId = '';
  /** Ids in responses, by their field's name. */
  readonly ids: Record<string, string[]> = {};
  orgId = '';
  key = '';
  revokedKey = '';
  member = new Browser('');

  private constructor(service: RunningService, administrator: Browser, random: Random) {
    this.#service = service;
    this.#administrator = administrator;
    this.#random = random;
  }

  static async on(service: RunningService, random: Random): Promise<Actors> {
    const administrator = await new Browser(service.address).signIn(service.administrator);
    const actors = new Actors(service, administrator, random);
    actors.#administratorId = (await administrator.ask<{ user_id: string }>(200, 'GET', '/v1/me')).user_id;
    await actors.renew();
    return actors;
  }

  get administrator(): Browser {
    return this.#administrator;
  }

  /**
   * Creates an organization, keys and a member in place of the previous ones. Requests may delete them again meanwhile.
   */
  async renew(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#make();
        return;
      } catch (reason) {
        if (attempt === 5) throw reason;
      }
    }
  }

  async #make(): Promise<void> {
    const administrator = this.#administrator;
    const { org_id: orgId } = await administrator.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', {
      name: 'abused',
      tier: 'enterprise',
    });
    const newKey = (name: string) =>
      administrator.ask<{ key: string; key_id: string }>(201, 'POST', `/v1/organizations/${orgId}/keys`, {
        name,
      });
    const [key, revoked] = [await newKey('abusive'), await newKey('revoked')];
    await administrator.ask(200, 'POST', `/v1/organizations/${orgId}/keys/${revoked.key_id}/revoke`);
    const email = `member-${this.#random.hex(12)}@example.com`;
    const { password } = await administrator.ask<{ password: string }>(201, 'POST', '/v1/users', { email });
    const member = new Browser(this.#service.address);
    // The service trusts this header, and bounds the attempts of an address.
    const from = { 'x-forwarded-for': `10.${this.#random.below(256)}.${this.#random.below(256)}.1` };
    const signedIn = await member.send('POST', '/v1/auth/sign-in', { email, password }, from);
    if (signedIn.status !== 200) throw new Error(`The member cannot sign in: ${await signedIn.text()}`);
    const { url } = await administrator.ask<{ url: string }>(
      201,
      'POST',
      `/v1/organizations/${orgId}/invitations`,
      { email, role: 'admin' },
    );
    const token = url.split('#token=')[1];
    const accepted = await member.send('POST', '/v1/invitations/accept', { token }, from);
    if (accepted.status !== 200) throw new Error(`The member cannot accept: ${await accepted.text()}`);
    Object.assign(this, { orgId, key: key.key, revokedKey: revoked.key, member });
    this.ids.key_id = [key.key_id];
  }

  /** Remembers the ids in a response. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === 'object') this.learn(one);
      if (typeof one !== 'string' || !name.endsWith('_id')) continue;
      // Deleting the administrator would end the run.
      if (one === this.#administratorId) continue;
      const known = this.ids[name] ?? [];
      this.ids[name] = known;
      if (!known.includes(one)) known.push(one);
      if (known.length > 40) known.shift();
    }
  }
}
