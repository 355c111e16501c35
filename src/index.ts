/** The exports of the npm package: the service, with a configuration that is read from an environment. */
export { type Config, ConfigError, readConfig } from './config/config.ts';
export { serve } from './server.ts';
export { version } from './version.ts';

// ONNX Runtime reports to Microsoft unless this is set before it loads.
process.env.ORT_DISABLE_TELEMETRY = '1';
