import { fieldsOf, isObject, type JsonObject } from '../../../../lib/json.ts';
import { Part } from './part.ts';

/** The ids of the special tokens around a text. */
export interface Template {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

const none: Template = { before: [], after: [] };

/** Reads `post_processor`. Throws an error that names an unsupported feature. */
export function readTemplate(json: unknown): Template {
  return json === null || json === undefined ? none : read(new Part('post_processor', json));
}

function read(part: Part): Template {
  const made = create(part);
  // Settings for pairs of texts and for offsets don't affect the ids of a single text.
  part.end('pair', 'trim_offsets', 'add_prefix_space', 'use_regex');
  return made;
}

function create(part: Part): Template {
  switch (part.type) {
    case 'Sequence':
      return part.parts('processors').map(read).reduce(around, none);
    case 'TemplateProcessing':
      return template(part);
    case 'BertProcessing':
    case 'RobertaProcessing':
      return { before: [pairedId(part, 'cls')], after: [pairedId(part, 'sep')] };
    case 'ByteLevel':
      return none;
    default:
      return part.refuse('this post_processor is not supported');
  }
}

const around = (inner: Template, outer: Template): Template => ({
  before: [...outer.before, ...inner.before],
  after: [...inner.after, ...outer.after],
});

function pairedId(part: Part, name: string): number {
  const pair = part.field(name);
  const id = Array.isArray(pair) ? pair[1] : undefined;
  return Number.isInteger(id) ? id : part.refuse(`"${name}" is not a token with its id`);
}

function template(part: Part): Template {
  const pieces = part.field('single');
  const tokens = part.field('special_tokens') ?? {};
  if (!Array.isArray(pieces) || !isObject(tokens)) return part.refuse('"single" is not a list');
  const before: number[] = [];
  const after: number[] = [];
  let texts = 0;
  for (const piece of pieces) {
    const { Sequence: text, SpecialToken: token } = fieldsOf(piece);
    const { id, type_id: type } = fieldsOf(text ?? token);
    if (type !== 0 || (text && id !== 'A')) part.refuse(`${JSON.stringify(piece)} is not supported`);
    if (text) texts += 1;
    else (texts > 0 ? after : before).push(...idsOf(part, tokens, String(id)));
  }
  if (texts !== 1) part.refuse('"single" is not supported: it has no place for the text, or several');
  return { before, after };
}

function idsOf(part: Part, tokens: JsonObject, name: string): number[] {
  const token = tokens[name];
  const ids = isObject(token) ? token.ids : undefined;
  if (Array.isArray(ids) && ids.every(Number.isInteger)) return ids;
  return part.refuse(`the special token ${JSON.stringify(name)} has no id`);
}
