/** A client that keeps cookies and names its origin, as a page of the service does. */
export class Browser {
  readonly #address: string;
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  /** `origin`: the public address of the service, if requests go to another address. */
  constructor(address: string, origin = address) {
    this.#address = address;
    this.#origin = origin;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const response = await fetch(this.#address + path, {
      method,
      redirect: 'manual',
      headers: {
        origin: this.#origin,
        ...(this.#cookies.size > 0 && { cookie: this.cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** Returns the body of a response with this status. Throws for another status. */
  async ask<R = unknown>(status: number, method: string, path: string, body?: unknown): Promise<R> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    if (response.status !== status) {
      throw new Error(`${method} ${path} answered ${response.status} and not ${status}: ${text}`);
    }
    return (text === '' ? undefined : JSON.parse(text)) as R;
  }

  async signIn({ email, password }: { email: string; password: string }): Promise<this> {
    await this.ask(200, 'POST', '/v1/auth/sign-in', { email, password });
    return this;
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '' || /max-age=0/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
