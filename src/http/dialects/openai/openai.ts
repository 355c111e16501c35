import type { ErrorCode, ServiceError } from '../../../errors.ts';
import type { Standings } from '../../../quota/known-standings.ts';
import type { Services } from '../../../service/services.ts';
import type { App } from '../../app-types.ts';
import { forKeys } from '../../audience.ts';
import { batchRoutes } from '../../routes/batches.ts';
import { embeddingsRoute } from '../../routes/embeddings.ts';
import { fileRoutes } from '../../routes/files.ts';
import { modelsRoute } from '../../routes/models.ts';
import { rerankRoute } from '../../routes/rerank.ts';
import type { Dialect, Headers } from '../dialect.ts';

/** The API of OpenAI and of Azure OpenAI, below `/openai`. */
export const openai: Dialect = {
  owns: (path) => path.startsWith('/openai/'),
  error: openaiError,
  rateLimits: openaiRateLimits,
  routes: openaiRoutes,
};

/** OpenAI's names for kinds of errors. All others are an `invalid_request_error`. */
const types: Partial<Record<ErrorCode, string>> = {
  invalid_api_key: 'authentication_error',
  not_signed_in: 'authentication_error',
  invalid_credentials: 'authentication_error',
  forbidden: 'permission_error',
  internal_error: 'server_error',
  overloaded: 'server_error',
  unavailable: 'server_error',
};

/**
 * Returns an error as OpenAI's API states it. Its clients wait and retry after `rate_limit_exceeded`, and give up after
 * `insufficient_quota`.
 */
function openaiError(error: ServiceError): { status: number; body: object } {
  const { status, type, code } = kindOf(error);
  const { message, param = null } = error;
  return { status, body: { error: { message, type, param, code } } };
}

function kindOf({ code, status, fault, exceeded }: ServiceError) {
  if (fault === 'unknown model')
    return { status: 404, type: 'invalid_request_error', code: 'model_not_found' };
  if (code !== 'rate_limit_exceeded') return { status, type: types[code] ?? 'invalid_request_error', code };
  if (exceeded?.window === 'month') return { status, type: 'insufficient_quota', code: 'insufficient_quota' };
  return { status, type: exceeded?.unit === 'tokens' ? 'tokens' : 'requests', code };
}

interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAtMs: number;
}

/** Returns `x-ratelimit-*-requests` and `-tokens`: for each unit, the limit that has the least left. */
function openaiRateLimits({ quota, limits }: Standings, nowMs: number): Headers {
  const headers: Record<string, string> = {};
  for (const unit of ['requests', 'tokens'] as const) {
    const rates: Rate[] = limits
      .filter((limit) => limit.unit === unit)
      .map(({ amount, used, resetsAtMs }) => rateOf(amount, used, resetsAtMs));
    if (unit === quota.unit && quota.limit !== null)
      rates.push(rateOf(quota.limit, quota.used, quota.resetsAtMs));
    const [tightest] = rates.sort((a, b) => a.remaining - b.remaining);
    if (!tightest) continue;
    headers[`x-ratelimit-limit-${unit}`] = String(tightest.limit);
    headers[`x-ratelimit-remaining-${unit}`] = String(tightest.remaining);
    headers[`x-ratelimit-reset-${unit}`] = duration(tightest.resetsAtMs - nowMs);
  }
  return headers;
}

const rateOf = (limit: number, used: number, resetsAtMs: number): Rate => ({
  limit,
  remaining: Math.max(0, limit - used),
  resetsAtMs,
});

/** Writes a time as OpenAI does: `6m0s`, and `120ms` below a second. */
function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${seconds >= 60 ? `${minutes}m` : ''}${seconds % 60}s`;
}

/** Registers OpenAI's routes, and Azure's, whose path names the model. */
function openaiRoutes(app: App, services: Services): void {
  for (const base of ['/openai/v1', '/openai/deployments/:model'])
    embeddingsRoute(app, services, forKeys({ base, hide: true }));
  // Not OpenAI's, but programs with one address for everything look for it there.
  rerankRoute(app, services, { url: '/openai/v1/rerank', hide: true });
  for (const base of ['/openai/v1', '/openai']) {
    modelsRoute(app, services, { url: `${base}/models`, hide: true });
    const audience = forKeys({ base, hide: true });
    batchRoutes(app, services, audience);
    app.register(async (forms: App) => fileRoutes(forms, services, audience));
  }
}
