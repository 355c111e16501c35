import { describe } from 'node:test';
import { replicasShareAQuota } from './quota.ts';

describe('four replica processes, three keys, a limit of 5,000', () => replicasShareAQuota(5_000));
