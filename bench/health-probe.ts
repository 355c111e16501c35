import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// Asks for /health at a fixed interval, in a thread of its own so that it waits for nothing but the service. Replies to
// each message with the times of the responses since the last one, in milliseconds.

const intervalMs = 20;
const timeoutMs = 30_000;
const agent = new Agent({ keepAlive: true });
let samplesMs: number[] = [];

setInterval(() => {
  const beganMs = performance.now();
  const request = get(`${workerData}/health`, { agent, timeout: timeoutMs }, (response) => {
    response.resume().on('end', () => samplesMs.push(performance.now() - beganMs));
  });
  request.on('timeout', () => request.destroy(new Error('/health did not respond')));
}, intervalMs);

parentPort!.on('message', () => {
  parentPort!.postMessage(samplesMs);
  samplesMs = [];
});
