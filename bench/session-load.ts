import { InferenceSession } from 'onnxruntime-node';

// Prints how many milliseconds it takes to load the session of a model file, and does nothing else that a service does.

const began = performance.now();
await InferenceSession.create(process.argv[2] as string, { intraOpNumThreads: 1, interOpNumThreads: 1 });
console.log(performance.now() - began);
