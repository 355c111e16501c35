import { run } from './cli/run.ts';

// ONNX Runtime reports to Microsoft unless this is set before it loads. A self-hosted service must not report to
// anyone.
process.env.ORT_DISABLE_TELEMETRY = '1';

process.exitCode = await run(process.argv.slice(2), process.env);
