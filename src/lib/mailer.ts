import type { Transporter } from 'nodemailer';
import { lazily } from './lazily.ts';

/** `name` empty: the address alone. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface Mailer {
  /** Resolves when the mail server has accepted the mail. Throws the server's refusal. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** Returns what a mail says of a link with a token: also its code, because mail filters cut and rewrite links. */
export function linkText(link: string): string {
  const [page, code] = link.split('#token=');
  return `${link}\n\nIf this link doesn't work, open ${page} and enter this code:\n\n${code}`;
}

const timeoutMs = 10_000;

/** Sends mail through the server of an `smtp://` or `smtps://` URL. Loads the library with the first mail. */
export function smtpMailer(settings: { readonly url: string; readonly from: MailAddress }): Mailer {
  const transporter = lazily(async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      // The library reads its own options, such as `ignoreTLS`, from the address.
      url: settings.url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
  });
  return {
    async send({ to, subject, text }) {
      await (await transporter.get()).sendMail({
        from: settings.from,
        to: { address: to, name: '' },
        subject,
        text,
        // RFC 3834: absence notes and the like don't reply to it.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    async close() {
      (await transporter.loaded())?.close();
    },
  };
}
