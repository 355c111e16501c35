import type { Logger } from 'pino';
import { deriveSecret } from '../keys/service-secrets.ts';
import { smtpMailer } from '../lib/mailer.ts';
import { Attempts } from '../users/attempts.ts';
import { Devices } from '../users/devices.ts';
import { lazySignIn } from '../users/lazy-sign-in.ts';
import type { Gate } from './gate.ts';

/**
 * The parts of the service that people use: accounts, sign-in and sessions. They are loaded when a person first signs
 * in.
 */
export type People = ReturnType<typeof openPeople>;

export function openPeople({ config, clock, stores, users, invitations }: Gate, log: Logger) {
  const mailer = config.mail && smtpMailer(config.mail);
  const { publicUrl } = config;
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  const signIn = lazySignIn({
    database: () => stores.authDatabase(),
    secret: deriveSecret(config, 'sessions').toString('base64url'),
    publicUrl,
    isSignUpOpen: config.isSignUpOpen,
    github: config.github,
    google: config.google,
    oidc: config.oidc,
    isInvited: (email) => invitations.isExpected(email),
    makeWayForProvider: (userId) => users.makeWayForProvider(userId),
    // A user who is deleted while they sign in is refused too.
    isDisabled: async (userId) => (await stores.users.find(userId))?.isDisabled ?? true,
    log: (level, message, err) => log[level](err === undefined ? {} : { err }, message),
  });
  return {
    signIn,
    attempts: new Attempts(stores.attempts, clock),
    devices: new Devices(deriveSecret(config, 'device cookies'), clock, { isSecure }),
    /** Null without SMTP_URL. */
    mailer,
  };
}
