import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { missingTool } from '../../deploy/proxies.ts';
import { pages } from '../../docs/markdown.ts';
import { listeningApp } from '../../helpers/app.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const rules = fileURLToPath(new URL('../../../deploy/prometheus-alerts.yaml', import.meta.url));

describe('Prometheus, by its own tool', { skip: missingTool('promtool') }, async () => {
  const app = untilEnd(await listeningApp());
  const directory = untilEnd(temporaryDirectory());
  const metrics = async () => (await fetch(`${app.address}/metrics`)).text();
  const promtool = (args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, ''], stdout);
  };
  const write = (name: string, text: string): string => {
    const file = join(directory.path, name);
    writeFileSync(file, text);
    return file;
  };

  test('accepts the names of all metrics', async () => {
    promtool(['check', 'metrics'], await metrics());
  });

  test('accepts the configuration that docs/metrics.md shows', () => {
    const blocks = pages().flatMap((page) => page.blocks);
    const block = blocks.find(({ code }) => code.startsWith('scrape_configs:'))?.code ?? '';
    const token = write('token', 'a token');
    const config = block
      .replace('/etc/prometheus/embedgate-token', token)
      .replace('/etc/prometheus/embedgate-alerts.yaml', rules);
    assert.ok(config.includes(token) && config.includes(rules), block);
    promtool(['check', 'config', write('prometheus.yaml', config)]);
  });

  test('raises an alert about the first 500, a replica that is down and a job that is absent, and about nothing else', async () => {
    const counted = async () => /^embedgate_internal_errors_total (\d+)$/m.exec(await metrics())?.[1];
    const before = await counted();
    using database = secondConnection(app.dataDir);
    database.exec('ALTER TABLE alerts RENAME TO gone');
    const headers = { authorization: `Bearer ${app.key}` };
    const { status } = await fetch(`${app.address}/v1/organizations/${app.orgId}/alerts`, { headers });
    database.exec('ALTER TABLE gone RENAME TO alerts');
    assert.equal(status, 500);
    const after = await counted();

    const series = (name: string, values: string) => ({
      series: `${name}{instance="a:8080", job="embedgate"}`,
      values,
    });
    const expected = (alertname: string, eval_time: string, labels: object | null, summary = '') => ({
      eval_time,
      alertname,
      exp_alerts: labels ? [{ exp_labels: labels, exp_annotations: { summary } }] : [],
    });
    const a = { instance: 'a:8080', job: 'embedgate' };
    const fails = { ...a, severity: 'warning' };
    const isDown = { ...a, severity: 'critical' };
    const errors = series('embedgate_internal_errors_total', `${before}x9 ${after}x20`);
    const cases = [
      {
        input_series: [errors, series('up', '1x15 0x15')],
        alert_rule_test: [
          expected('EmbedgateFails', '9m', null),
          expected(
            'EmbedgateFails',
            '10m',
            fails,
            'a:8080 returned 500, which is a defect. The log has the reason.',
          ),
          expected('EmbedgateFails', '16m', null),
          expected('EmbedgateDown', '15m', null),
          expected('EmbedgateDown', '18m', isDown, 'a:8080 does not respond.'),
        ],
      },
      {
        input_series: [
          series('up', '1x5 stale'),
          { series: 'up{instance="a:8080", job="api"}', values: '1x30' },
        ],
        alert_rule_test: [
          expected('EmbedgateDown', '5m', null),
          expected(
            'EmbedgateDown',
            '8m',
            { job: 'embedgate', severity: 'critical' },
            'Prometheus reads no metrics of a job named embedgate.',
          ),
        ],
      },
    ];
    const tests = cases.map((one) => ({ interval: '1m', ...one }));
    promtool(['test', 'rules', write('test.yaml', JSON.stringify({ rule_files: [rules], tests }))]);
  });
});
