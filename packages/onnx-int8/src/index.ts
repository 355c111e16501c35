/** Converts ONNX graphs to row-wise int8, and reads and writes ONNX files. */

export { type ConvertedGraph, convertGraph, type GraphConversion } from './convert-graph.ts';
export { NotConvertible, weightPlaces } from './convertible.ts';
export type { DenseLayout, EncoderLayout, LayerLayout, NormLayout, ProductLayout } from './encoder-layout.ts';
export { GraphBuilder } from './graph-builder.ts';
export { type GraphFacts, readGraph } from './graph-reader.ts';
export { layoutKey, type StatedOutput } from './onnx-document.ts';
export * from './onnx-file.ts';
export { FileBytes, fieldsOf, type Span } from './protobuf-file.ts';
export { denseOf, quantizeMatrix } from './quantize-matrix.ts';
export { type ReadableEncoder, readEncoder } from './read-encoder.ts';
export * from './safetensors.ts';
export { type ComputeTexts, findFactors } from './smoothing.ts';
export { bytesOf } from './stored-tensor.ts';
