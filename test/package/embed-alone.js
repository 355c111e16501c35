// Starts the service that the arguments name, embeds a text with the key of its first start, prints the response, and
// stops the service.
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const service = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
let printed = '';
for await (const chunk of service.stdout.setEncoding('utf8')) {
  printed += chunk;
  const [, address, key] = /listens on (http\S+)[\s\S]*API key +(sk_\w+)/.exec(printed) ?? [];
  if (key === undefined) continue;
  const response = await fetch(`${address}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'The quick brown fox' }),
  });
  console.log(JSON.stringify({ status: response.status, body: await response.json() }));
  break;
}
service.kill('SIGTERM');
