import type { AlertTarget } from '../../../api/alerts.ts';

export type TargetKind = AlertTarget['kind'];

export const targetKinds: Readonly<Record<TargetKind, string>> = { email: 'Email', webhook: 'Webhook' };
