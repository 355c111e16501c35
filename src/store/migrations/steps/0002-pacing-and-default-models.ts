import type { Step } from '../dialect.ts';

const statements = () => [
  // How long a request waits for the next window before it is refused. Null: it doesn't wait.
  'ALTER TABLE limits ADD COLUMN max_wait_ms BIGINT',
  // The name or alias of the model for requests that name none. Null: that of the service.
  'ALTER TABLE api_keys ADD COLUMN default_model TEXT',
];

export const step: Step = { sqlite: statements, postgres: statements };
