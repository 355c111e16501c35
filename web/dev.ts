import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

// `npm run dev`: the service, which starts again after each change of its files, and the dashboard with hot reload.

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const service = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', path('bin/embedgate.js'), 'serve'],
  {
    stdio: 'inherit',
  },
);
const dashboard = await createServer({ configFile: path('web/vite.config.ts') });
await dashboard.listen();
console.log(`The dashboard with hot reload: ${dashboard.resolvedUrls?.local[0]}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal));
service.on('exit', async (code) => {
  await dashboard.close();
  process.exit(code ?? 0);
});
