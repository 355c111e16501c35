import { InferenceSession } from 'onnxruntime-node';

// Prints how many milliseconds loading the session of a model file takes, and nothing else that a service does.

const began = performance.now();
await InferenceSession.create(process.argv[2] as string, { intraOpNumThreads: 1, interOpNumThreads: 1 });
console.log(performance.now() - began);
