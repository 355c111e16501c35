import type { Logger } from 'pino';
import { KeyLinks } from '../keys/key-links.ts';
import { deriveSecret } from '../keys/service-secrets.ts';
import { smtpMailer } from '../lib/mailer.ts';
import { SignedTokens } from '../lib/signed-tokens.ts';
import { Attempts } from '../users/attempts.ts';
import { Devices } from '../users/devices.ts';
import { lazySignIn } from '../users/lazy-sign-in.ts';
import type { Core } from './core.ts';

/**
 * The parts of the service that people use: accounts, sign-in and sessions. They are loaded when a person first signs
 * in.
 */
export type People = ReturnType<typeof openPeople>;

export function openPeople({ config, clock, stores, keys, users, members, invitations }: Core, log: Logger) {
  const mailer = config.mail && smtpMailer(config.mail);
  const { publicUrl } = config;
  const attempts = new Attempts(stores.attempts, clock);
  const signIn = lazySignIn({
    database: () => stores.authDatabase(),
    secret: deriveSecret(config, 'sessions').toString('base64url'),
    publicUrl,
    isSignUpOpen: config.isSignUpOpen,
    sessionDays: config.sessionDays,
    github: config.github,
    google: config.google,
    oidc: config.oidc,
    isInvited: (email) => invitations.isExpected(email),
    makeWayForProvider: (userId) => users.makeWayForProvider(userId),
    async setMapped(userId, memberships) {
      const { missing, ownerless } = await members.setMapped(
        userId,
        memberships,
        config.oidc?.claimMap?.revokesKeys,
      );
      for (const orgId of missing)
        log.warn(
          `EMBEDGATE_CONFIG: sign_in.memberships names the organization ${orgId}, which does not exist`,
        );
      for (const orgId of ownerless)
        log.warn(
          `the organization ${orgId} has no owner left: the provider no longer states that the last one is`,
        );
    },
    // A user who is deleted while they sign in is refused too.
    isDisabled: async (userId) => (await stores.users.findById(userId))?.isDisabled ?? true,
    claimState: (state) => attempts.claimCode('provider', state),
    isClockTrusted: () => stores.leases.isClockTrusted(),
    log: (level, message, err) => log[level](err === undefined ? {} : { err }, message),
  });
  return {
    signIn,
    attempts,
    keyLinks: new KeyLinks(stores.keys, keys, new SignedTokens(deriveSecret(config, 'links to keys')), clock),
    devices: new Devices(deriveSecret(config, 'device cookies'), clock, publicUrl),
    /** Null without SMTP_URL. */
    mailer,
  };
}
