import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.ts';

export interface ReceivedMail {
  readonly to: readonly string[];
  /** Headers and text, decoded as far as tests need. */
  readonly content: string;
}

/** A mail server that keeps the mails it receives. */
export interface MailServer extends AsyncDisposable {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** From now on it refuses every recipient, until the test changes that. */
  refuse(refusing: boolean): void;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let isRefusing = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(isRefusing ? new Error('mailbox unavailable') : null),
    onData(stream, { envelope }, done) {
      text(stream).then((content) => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), content: decoded(content) });
        done();
      }, done);
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (refusing) => {
      isRefusing = refusing;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Decodes quoted-printable text. */
function decoded(content: string): string {
  if (!/content-transfer-encoding: quoted-printable/i.test(content)) return content;
  return content
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const link = /\/confirm-address#token=([\w.-]+)/;

/** Returns the token of the newest link that an address got to confirm it. */
export async function mailedToken({ mails }: MailServer, address: string): Promise<string> {
  const tokens = () =>
    mails.filter(({ to }) => to.includes(address)).flatMap(({ content }) => link.exec(content)?.[1] ?? []);
  await eventually(() => tokens().length > 0);
  return tokens().at(-1)!;
}
