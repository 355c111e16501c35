import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { encodeOnnxModel } from '../../../packages/onnx-int8/src/index.ts';
import { type BertGraphOptions, bertModel } from './bert-graph.ts';
import { type BertShape, type BertWeights, bertWeights, tinyBert } from './bert-weights.ts';
import { wordPieceJson, wordPieces } from './wordpiece.ts';

export type Pooling = 'cls' | 'mean' | 'max' | 'lasttoken';

export interface BertModelOptions extends Partial<BertShape>, BertGraphOptions {
  /** Words of the vocabulary beside letters, digits and the pieces that fill it up. */
  readonly words?: readonly string[];
  readonly pooling?: Pooling;
  /** Whether `modules.json` names a module that normalises; default true. */
  readonly normalize?: boolean;
  /** `max_seq_length` of `sentence_bert_config.json`; default: all positions. */
  readonly maxTokens?: number;
  /** Of `config_sentence_transformers.json`. */
  readonly prompts?: Readonly<Record<string, string>>;
  readonly defaultPromptName?: string;
  readonly matryoshkaDimensions?: readonly number[];
  /** The path of the graph; default `onnx/model.onnx`. */
  readonly file?: string;
}

/**
 * Writes a BERT of random weights into `directory`, in the layout of a Hugging Face export with the files of
 * sentence-transformers, and returns its weights.
 */
export async function writeBertModel(
  directory: string,
  options: BertModelOptions = {},
): Promise<BertWeights> {
  const weights = bertWeights({ ...tinyBert, ...options });
  const files: Record<string, Uint8Array | object> = {
    [options.file ?? 'onnx/model.onnx']: encodeOnnxModel(bertModel(weights, options)),
    ...modelFiles(weights.shape, options),
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    const bytes = content instanceof Uint8Array ? content : `${JSON.stringify(content, null, 2)}\n`;
    await writeFile(join(directory, path), bytes);
  }
  return weights;
}

/** All except the graph: path → JSON. */
function modelFiles(shape: BertShape, options: BertModelOptions): Record<string, object> {
  const pieces = wordPieces(shape.vocabularySize, options.words);
  const ofEmbeddings = isCrossEncoder(options) ? {} : embeddingFiles(shape, options);
  return {
    ...ofEmbeddings,
    'tokenizer.json': wordPieceJson(pieces),
    'tokenizer_config.json': {
      do_lower_case: true,
      model_max_length: shape.maxPositions,
      pad_token: '[PAD]',
      padding_side: options.decoder ? 'left' : 'right',
      tokenizer_class: 'BertTokenizer',
    },
    'config.json': {
      architectures: [isCrossEncoder(options) ? 'BertForSequenceClassification' : 'BertModel'],
      model_type: 'bert',
      hidden_size: shape.width,
      intermediate_size: shape.feedForwardWidth,
      num_attention_heads: shape.heads,
      num_hidden_layers: shape.layers,
      max_position_embeddings: shape.maxPositions,
      vocab_size: shape.vocabularySize,
      pad_token_id: 0,
      ...(options.matryoshkaDimensions && { matryoshka_dimensions: options.matryoshkaDimensions }),
    },
    'sentence_bert_config.json': {
      max_seq_length: options.maxTokens ?? shape.maxPositions,
      do_lower_case: false,
    },
  };
}

const isCrossEncoder = ({ outputs = [] }: BertModelOptions): boolean => outputs.includes('logits');

function embeddingFiles(shape: BertShape, options: BertModelOptions): Record<string, object> {
  const { pooling = 'mean', normalize = true } = options;
  return {
    'modules.json': [
      { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
      { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
      ...(normalize
        ? [{ idx: 2, name: '2', path: '2_Normalize', type: 'sentence_transformers.models.Normalize' }]
        : []),
    ],
    '1_Pooling/config.json': {
      word_embedding_dimension: shape.width,
      pooling_mode_cls_token: pooling === 'cls',
      pooling_mode_mean_tokens: pooling === 'mean',
      pooling_mode_max_tokens: pooling === 'max',
      pooling_mode_mean_sqrt_len_tokens: false,
      pooling_mode_weightedmean_tokens: false,
      pooling_mode_lasttoken: pooling === 'lasttoken',
      include_prompt: true,
    },
    'config_sentence_transformers.json': {
      __version__: { sentence_transformers: '3.0.1', transformers: '4.41.2', pytorch: '2.3.1' },
      prompts: options.prompts ?? {},
      default_prompt_name: options.defaultPromptName ?? null,
      similarity_fn_name: 'cosine',
    },
  };
}
