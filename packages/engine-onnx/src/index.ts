import type * as files from './model-files.ts';
import type * as opening from './open-onnx.ts';

export { convertedDtype } from './model-file.ts';
export type { StoredModel } from './model-files.ts';
export type { OnnxContext } from './open-onnx.ts';
export {
  builtinModel,
  environmentCrossEncoder,
  environmentModel,
  fileModel,
  type OnnxSettings,
  refuseUnknownModel,
} from './settings.ts';
export { plansFor, type ThreadPlan } from './thread-plan.ts';
export { memoryForModels } from './working-memory.ts';

// What runs models and makes their files is loaded when it is first called, because most commands only read settings.

export const openOnnx: typeof opening.openOnnx = async (...args) =>
  (await import('./open-onnx.ts')).openOnnx(...args);
export const pullModel: typeof files.pullModel = async (...args) =>
  (await import('./model-files.ts')).pullModel(...args);
export const listModels: typeof files.listModels = async (...args) =>
  (await import('./model-files.ts')).listModels(...args);
export const convertModel: typeof files.convertModel = async (...args) =>
  (await import('./model-files.ts')).convertModel(...args);
export const convertPulled: typeof files.convertPulled = async (...args) =>
  (await import('./model-files.ts')).convertPulled(...args);
