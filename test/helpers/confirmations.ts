import { eventually } from './eventually.ts';
import type { MailServer } from './mail-server.ts';

const link = /\/confirm-address#token=([\w.-]+)/;

/** Returns the token of the newest link that an address got to confirm it. */
export async function mailedToken({ mails }: MailServer, address: string): Promise<string> {
  const tokens = () =>
    mails.filter(({ to }) => to.includes(address)).flatMap(({ content }) => link.exec(content)?.[1] ?? []);
  await eventually(() => tokens().length > 0);
  return tokens().at(-1)!;
}
