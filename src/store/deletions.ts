import { type Kysely, sql } from 'kysely';
import type { DeletionProgress, DeletionStore } from '../accounts/deletions.ts';
import { asHousekeeping } from './as-housekeeping.ts';
import type { DatabaseTime } from './database-time.ts';
