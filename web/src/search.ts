import { isDay, periodOf } from './api/usage.ts';

/** Reports whether a page can use a text of its address. */
interface Check {
  test(text: string): boolean;
}

const text = /^\P{Cc}{1,254}$/u;
const word = /^[a-z_-]{1,30}$/;
const id = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const requestId = /^[\w.:-]{1,64}$/;
const period: Check = { test: (given) => periodOf(given) === given };
const moment: Check = {
  test: (given) =>
    /T\d\d:\d\d:\d\d(\.\d+)?Z$/.test(given) &&
    isDay(given.slice(0, 10)) &&
    Number.isFinite(Date.parse(given)),
};

const list = { q: text, sort: /^-?(created|name)$/ };
const usage = {
  period,
  key: id,
  view: /^(requests|tokens|latency|errors)$/,
  group: /^(outcome|key|model)$/,
  compare: /^previous$/,
  tab: /^(keys|models|limits|alerts)$/,
};

const keys = {
  q: text,
  sort: /^-?(created|name|last_used|expires|requests)$/,
  status: /^(active|expiring|unused|revoked|all)$/,
  create: /^yes$/,
  tab: /^(keys|limits)$/,
};

const audit = {
  text,
  kind: word,
  action: /^[a-z-]{1,30}\.[a-z-]{1,30}$/,
  actor: text,
  target: text,
  from: moment,
  to: moment,
  open: id,
};
const limits = { of: word, unit: word, used: /^\d{1,3}$/ };

/** What the address of each page can say, by the page's path. */
const searches = {
  // `?password` offers the password where people sign in with a provider only.
  login: { next: /^\P{Cc}{1,2000}$/u, error: text, ended: /^yes$/, password: /^/ },
  organizations: { ...usage, ...list },
  users: list,
  usage,
  limits,
  'all-limits': limits,
  'all-usage': { period: /^\d{4}-(0[1-9]|1[0-2])$/ },
  service: { request: requestId },
  requests: {
    outcome: /^(counted|cached|refused|failed)$/,
    key: id,
    model: text,
    status: /^[1-5]\d\d$/,
    slow: /^[1-9]\d{0,8}$/,
    from: moment,
    to: moment,
    request: text,
    open: requestId,
  },
  batches: { batch: /^batch_[\da-f]{32}$/ },
  keys,
  'installation-keys': keys,
  'keys/$keyId': { open: requestId },
  playground: {
    sender: /^(session|key)$/,
    model: text,
    dimensions: /^[1-9]\d{0,4}$/,
    type: /^query$/,
    tab: /^(similarity|vector|response|headers)$/,
  },
  models: { open: text },
  alerts: { tab: /^(open|history|rules|deliveries)$/, open: id },
  members: { ...list, open: id },
  audit,
  'all-audit': audit,
} satisfies Record<string, Record<string, Check>>;

type NameOf<Path> = Path extends keyof typeof searches ? keyof (typeof searches)[Path] : never;

/** Returns what is valid of a page's address. The rest is undefined, and the router takes it out of the address. */
export function validSearch<Path extends string>(path: Path) {
  const checks: Record<string, Check> = searches[path as 'users'] ?? {};
  return (search: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(checks).map(([name, check]) => {
        const given = search[name];
        return [name, typeof given === 'string' && check.test(given) ? given : undefined];
      }),
    ) as { [Name in NameOf<Path>]?: string | undefined };
}

/** An address has texts. By default, the router reads some as JSON, so that a search for 1e3 is one for 1000. */
export const parseSearch = (search: string) => Object.fromEntries(new URLSearchParams(search));
