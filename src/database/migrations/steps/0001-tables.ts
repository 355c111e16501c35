import { postgresStatements } from '../baseline/postgres.ts';
import { sqliteStatements } from '../baseline/sqlite.ts';
import type { Step } from '../database-kind.ts';

export const step: Step = { sqlite: sqliteStatements, postgres: postgresStatements };
