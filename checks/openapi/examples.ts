import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { version } from '../../src/version.ts';

/** The values of the examples, by the name of the field. A field that they don't fit has one that is made from its schema. */
const values: Readonly<Record<string, unknown>> = {
  actor_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
  actor_name: 'ada@example.com',
  address: 'https://example.com/hooks/embedgate',
  after: { name: 'Acme' },
  before: { name: 'Default' },
  amount: 100_000,
  attempts: 1,
  backup_codes: ['4f1c-9b2e'],
  cancelled_at: null,
  cancelling_at: null,
  code: 'invalid_body',
  completion_window: '24h',
  contact: 'support@example.com',
  created: 1_795_233_240,
  created_at: 1_795_233_240,
  completed_at: 1_795_234_440,
  default_model: null,
  device: 'Firefox on Linux',
  dimensions: 384,
  dtype: 'int8',
  email: 'ada@example.com',
  embedding: [0.018542, -0.061133, 0.032718],
  error: null,
  error_file_id: null,
  errors: null,
  expired_at: null,
  expires_at: 1_797_825_240,
  explanation: 'At this rate you’ll reach your limit on Nov 28.',
  failed: 0,
  failed_at: null,
  filename: 'corpus.jsonl',
  finalizing_at: 1_795_234_430,
  fingerprint: '5d1f1a2b6f3e4c7d8a9b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f7',
  first_id: 'batch_01a19671c1c074538b1a492ba816cd71',
  from: '2026-11-20',
  hint: 'sk_…9f3c',
  ids: [101, 1996],
  in_progress_at: 1_795_233_250,
  index: 0,
  input_file_id: 'file-01a19671c1c074538b1a492ba816cd71',
  input_types: ['query', 'document'],
  key: 'sk_…',
  key_name: 'website',
  languages: ['en'],
  last_id: 'batch_01a19671c1c074538b1a492ba816cd71',
  latency_ms: 8.412,
  license: 'Apache-2.0',
  limit: 10_000,
  line: 3,
  matryoshka_dimensions: [384, 256],
  max_input_tokens: 256,
  max_inputs: 2_048,
  message: 'The batch has ended.',
  metadata: null,
  model: 'all-MiniLM-L6-v2',
  month: '2026-11',
  name: 'website',
  next: null,
  not_ready: [],
  offsets: [null, [0, 3]],
  organization: 'Acme',
  output_file_id: 'file-01a19671c1c074538b1a492ba816cd72',
  owned_by: 'embedgate',
  owner: null,
  param: null,
  password: 'correct horse battery staple',
  period: '2026-11-20',
  pieces: ['[CLS]', 'the'],
  price: '$29',
  prompt_tokens: 6,
  queue_ms: 1.207,
  relevance_score: 0.998,
  remaining: 9_990,
  replacement: null,
  entry_id: '4711',
  request_id: '6f2a1c1e-0a0e-4a52-9c4d-0f2f6a0d6a51',
  resets_at: '2026-12-01T00:00:00.000Z',
  search_units: 1,
  secret: 'whsec_…',
  status: 200,
  tier: 'free',
  to: '2026-11-20',
  token: 'q8s…',
  total_tokens: 6,
  truncated: [],
  url: 'https://embed.example.com/invite#token=q8s…',
  user_agent: 'Mozilla/5.0',
  user_name: 'Ada',
  version,
  waits_for: null,
  window: 'month',
};

export interface Schema {
  title?: string;
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  type?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
}

/** Returns an example of a schema: its own, or one that is made of examples of its fields. */
export function exampleOf(schema: Schema, name = ''): unknown {
  const {
    examples,
    anyOf,
    properties,
    required = [],
    items,
    type,
    format,
    minimum = 0,
    maximum = minimum + 10,
  } = schema;
  if (examples) return examples[0];
  if (name in values && Check(schema as TSchema, values[name])) return values[name];
  for (const key of ['const', 'default'] as const) if (schema[key] !== undefined) return schema[key];
  if (schema.enum) return schema.enum[0];
  if (anyOf) return exampleOf(anyOf[0]!, name);
  if (properties)
    return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name]!, name)]));
  if (items) return new Array(schema.minItems ?? 1).fill(exampleOf(items, name));
  if (format === 'date') return '2026-11-20';
  if (format === 'uuid') return '01a19671-c1c0-7453-bb19-492ba816cd71';
  if (format === 'date-time') return '2026-11-21T03:54:00.000Z';
  if (type === 'string') return name;
  if (type === 'boolean') return false;
  return type === 'null' ? null : Math.min(maximum, minimum + 10);
}
