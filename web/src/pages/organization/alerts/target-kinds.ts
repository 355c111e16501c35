import type { AlertTarget } from '../../../api/alerts.ts';

export type TargetKind = AlertTarget['kind'];

/** The kinds of channels, each with its name and the field for the address of a new one. */
export const targetKinds: Readonly<
  Record<TargetKind, { name: string; label: string; type: string; placeholder: string; hint: string }>
> = {
  email: {
    name: 'Email',
    label: 'Email address',
    type: 'email',
    placeholder: 'ops@example.com',
    hint: 'Each alert is sent as a separate email. An address that no member has verified gets a link to confirm it first.',
  },
  webhook: {
    name: 'Webhook',
    label: 'URL',
    type: 'url',
    placeholder: 'https://example.com/hooks/embedgate',
    hint: 'Each alert is a POST request, signed according to Standard Webhooks and retried when it fails.',
  },
};

export const kindNames = Object.fromEntries(
  Object.entries(targetKinds).map(([kind, { name }]) => [kind, name]),
) as Record<TargetKind, string>;
