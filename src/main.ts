import { run } from './cli/run.ts';

// ONNX Runtime reports to Microsoft unless this is set before it loads. A self-hosted service must not report to
// anyone.
process.env.ORT_DISABLE_TELEMETRY = '1';

// Whatever the umask, nobody else may write what the service makes.
process.umask(process.umask() | 0o022);

process.exitCode = await run(process.argv.slice(2), process.env);
