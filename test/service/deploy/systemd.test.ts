import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../../src/config/config.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const unit = readFileSync(join(checkout, 'deploy/embedgate.service'), 'utf8');
/** In tenths, as `systemd-analyze security` takes it: 0 is the safest, 100 has no protection. */
const maxExposure = 20;

const [, version = '0'] =
  /^systemd (\d+)/.exec(spawnSync('systemd-analyze', ['--version']).stdout?.toString() ?? '') ?? [];
const missing = Number(version) >= 250 ? false : 'there is no systemd-analyze of version 250 or later here';

describe('the systemd unit', () => {
  const analyze = (...args: string[]) => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'embedgate.service');
    writeFileSync(file, unit.replaceAll('/opt/embedgate/', checkout));
    return spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
  };

  it('is accepted by systemd', { skip: missing }, () => {
    const { status, stderr } = analyze('verify');
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('gives the service few privileges that it does not need', { skip: missing }, () => {
    const { status, stdout } = analyze(
      'security',
      '--offline=true',
      `--threshold=${maxExposure}`,
      '--no-pager',
    );
    assert.equal(status, 0, stdout);
  });

  it('starts the service as the other deployments do, on the given state directory', () => {
    const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
    // The command itself gives Node its options.
    assert.equal(command, '/opt/embedgate/node_modules/.bin/node /opt/embedgate/bin/embedgate.js serve');
    const [, name] = /^StateDirectory=(.+)$/m.exec(unit) ?? [];
    const [, dataDir = ''] = /^Environment=.*\bDATA_DIR=(\S+)/m.exec(unit) ?? [];
    assert.equal(readConfig({ DATA_DIR: dataDir }).dataDir, `/var/lib/${name}`);
  });
});
