import type { AlertTarget } from '../../../api/alerts.ts';

export type TargetKind = AlertTarget['kind'];

export const targetKinds: Readonly<Record<TargetKind, string>> = { email: 'Email', webhook: 'Webhook' };

/** The field for the address of a new target. */
export const targetFields: Readonly<
  Record<TargetKind, { label: string; type: string; placeholder: string; hint: string }>
> = {
  email: {
    label: 'Email address',
    type: 'email',
    placeholder: 'ops@example.com',
    hint: 'Each alert is sent as a separate email. An address that no member has verified gets a link to confirm it first.',
  },
  webhook: {
    label: 'URL',
    type: 'url',
    placeholder: 'https://example.com/hooks/embedgate',
    hint: 'Each alert is a POST request, signed according to Standard Webhooks and retried when it fails.',
  },
};
