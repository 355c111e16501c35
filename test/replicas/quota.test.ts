import { describe } from 'node:test';
import { replicasShareAQuota } from './quota.ts';

describe('four replica processes, three keys, a limit of 1,000', () => replicasShareAQuota(1_000));
