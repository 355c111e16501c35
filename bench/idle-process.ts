import { monitorEventLoopDelay } from 'node:perf_hooks';

// The delays of the machine itself: does nothing, and at the end prints its own longest event-loop delay in ms.

const resolution = 10;
const monitor = monitorEventLoopDelay({ resolution });
monitor.enable();
process.on('disconnect', () => {
  console.log(Math.max(0, monitor.max / 1e6 - resolution));
  process.exit();
});
setTimeout(() => monitor.reset(), 1_000);
