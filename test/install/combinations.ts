/** One way to install, in which `npm ci && npm start` and `npm ci && npm test` have to work. */
export interface Combination {
  /** A version or a range of npm. */
  readonly npm: string;
  /** A major version of the Node outside the checkout. */
  readonly node: number;
  /** Another user than root; needs root to become one. */
  readonly otherUser?: boolean;
  /** A path with spaces and umlauts. */
  readonly oddPath?: boolean;
  /** A home directory that the user may not write to. */
  readonly readOnlyHome?: boolean;
  /** Without the development dependencies. */
  readonly production?: boolean;
  /**
   * This npm swallows SIGTERM and continues. Only Ctrl-C, which reaches every process of the terminal, ends
   * the service.
   */
  readonly onlyCtrlC?: boolean;
  /** Installs a second time while a service runs from the same checkout. */
  readonly besideService?: boolean;
}

const npms = ['~10.0', '~10.8', '~10.9', '~11.0', '~11.3', '~11.6', 'latest'];

/** What `npm run test:install -- --short` tries. */
export const short: readonly Combination[] = [
  { npm: '~10.8', node: 20, oddPath: true, besideService: true },
  { npm: 'latest', node: 24 },
];

export const full: readonly Combination[] = [
  ...npms.map((npm) => ({
    npm,
    node: npm === 'latest' ? 24 : 20,
    onlyCtrlC: npm === '~10.0',
  })),
  { npm: '~10.9', node: 22 },
  { npm: 'latest', node: 22 },
  { npm: '~11.6', node: 24 },
  { npm: '~10.8', node: 20, otherUser: true },
  { npm: 'latest', node: 24, otherUser: true, readOnlyHome: true },
  { npm: '~10.8', node: 20, otherUser: true, readOnlyHome: true, oddPath: true },
  { npm: '~10.8', node: 20, oddPath: true },
  { npm: 'latest', node: 24, oddPath: true },
  { npm: '~10.8', node: 20, production: true },
  { npm: '~10.9', node: 22, production: true, otherUser: true, oddPath: true },
  { npm: 'latest', node: 24, production: true },
  { npm: '~10.8', node: 20, besideService: true },
  { npm: '~10.9', node: 22, besideService: true },
  { npm: 'latest', node: 24, besideService: true },
  { npm: 'latest', node: 24, besideService: true, production: true },
];

export function describe(combination: Combination): string {
  const { npm, node, ...options } = combination;
  const named = Object.entries(options).flatMap(([name, value]) =>
    value ? [name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)] : [],
  );
  return [`npm ${npm.replace('~', '')}`, `Node ${node}`, ...named].join(', ');
}
