import { postgresStatements } from '../baseline/postgres.ts';
import { sqliteStatements } from '../baseline/sqlite.ts';
import type { Step } from '../dialect.ts';

export const step: Step = { sqlite: sqliteStatements, postgres: postgresStatements };
