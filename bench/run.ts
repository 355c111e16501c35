import { cpus } from 'node:os';
import { columns } from '../src/cli/table.ts';
import { allAtOnce } from './all-at-once.ts';
import { batchThroughput, besideBatch } from './batches.ts';
import { beforeNow } from './before.ts';
import { type Benchmark, holds } from './benchmark.ts';
import { cachedAnswers } from './cached-answers.ts';
import { dashboard } from './dashboard.ts';
import { calmBesideFlood, shortTextFlood, weightedFloods } from './fairness.ts';
import { fiftyPeople, postgresFiftyPeople } from './fifty-people.ts';
import { growth } from './growth.ts';
import {
  limitedDecisions,
  postgresLimitedDecisions,
  postgresLimitedOrganizations,
  postgresLimitedPeople,
} from './limited-decisions.ts';
import { nativeEncoder } from './native-encoder.ts';
import { peers } from './peers.ts';
import { postgresQuota, postgresQuotas } from './postgres-decisions.ts';
import { quotaDecisions } from './quota-decisions.ts';
import { requestLog } from './request-log.ts';
import { rerank } from './rerank.ts';
import { gateCost, uncachedTexts } from './uncached-texts.ts';
import { postgresUsagePages, usagePages } from './usage-pages.ts';

// Every benchmark that doesn't take long, or those whose name contains one of the arguments: `npm run bench
// -- cached quota`.

const benchmarks: readonly Benchmark[] = [
  cachedAnswers,
  requestLog,
  uncachedTexts,
  gateCost,
  ...nativeEncoder,
  ...peers,
  rerank,
  ...dashboard,
  fiftyPeople,
  batchThroughput,
  besideBatch,
  calmBesideFlood,
  weightedFloods,
  shortTextFlood,
  quotaDecisions,
  limitedDecisions,
  usagePages,
  postgresQuota,
  postgresQuotas,
  postgresLimitedDecisions,
  postgresLimitedOrganizations,
  postgresLimitedPeople,
  postgresUsagePages,
  postgresFiftyPeople,
  ...growth,
  ...allAtOnce,
  ...beforeNow,
];

const wanted = process.argv.slice(2);
const chosen = benchmarks.filter(({ name, takesLong }) =>
  wanted.length === 0 ? !takesLong : wanted.some((part) => name.includes(part)),
);
if (chosen.length === 0) {
  console.error(`No benchmark matches ${wanted.join(', ')}; there are ${benchmarks.map(({ name }) => name)}`);
  process.exit(1);
}

console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}, one after the other\n`);
const rows: string[][] = [];
for (const { name, what, bound, run } of chosen) {
  process.stderr.write(`${name} …\n`);
  const { value, details } = await run();
  console.log(`${name}: ${details}`);
  const toReach = 'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`;
  rows.push([what, toReach, value.toPrecision(3), holds(bound, value) ? 'holds' : 'misses']);
}
console.log(`\n${columns(['what', 'to reach', 'measured', ''], rows)}`);
