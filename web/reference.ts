import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

// Writes the page /docs from docs/openapi.json and the table in docs/errors.md when the dashboard is built. The page needs no script.

interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Body {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Content {
  readonly content?: Readonly<Record<string, Body>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<
    Record<string, Content & { readonly description?: string; readonly $ref?: string }>
  >;
}
interface Document {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

const marker = '<main id="reference"></main>';

/** Fills web/docs.html. */
export function reference(): Plugin {
  return {
    name: 'reference',
    transformIndexHtml(html, { filename }) {
      if (!filename.endsWith('docs.html')) return html;
      const document = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8');
      const errors = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
      return html.replace(marker, () => referenceOf(JSON.parse(document), errorsOf(errors)));
    },
  };
}

/** Returns the rows of the table of errors, each with its code as its id, without the links to other pages. */
const errorsOf = (markdown: string): string =>
  [...markdown.matchAll(/^\| `(\w+)` +\| (\d+) +\| (.*?) +\| (.*?) +\|$/gm)]
    .map(([, code = '', status, ...cells]) => {
      const [what = '', retry = ''] = cells.map((cell) =>
        prose(cell.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')),
      );
      return `<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${what} <b>Retry?</b> ${retry}</td></tr>`;
    })
    .join('');

function referenceOf({ info, tags, paths, components }: Document, errors: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const found = (schema: Schema): Schema => {
    const [, , kind = '', name = ''] = schema.$ref?.split('/') ?? [];
    return components[kind]?.[name] ?? schema;
  };
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    id: name.toLowerCase().replaceAll(' ', '-'),
    members: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const navigation = groups.map(
    ({ name, id, members }) =>
      `<li><a href="#${id}">${text(name)}</a><ul>${members
        .map(({ operation }) => `<li><a href="#${operation.operationId}">${text(operation.summary)}</a></li>`)
        .join('')}</ul></li>`,
  );
  const sections = groups.map(
    ({ name, description, id, members }) => `<section aria-labelledby="${id}">
      <h2 id="${id}">${text(name)}</h2><p>${prose(description)}</p>
      ${members.map((member) => operationOf(member, found)).join('')}</section>`,
  );
  return `<nav aria-label="API"><p><a class="home" href="/organizations"><img src="/favicon.svg" alt="" width="20" height="20">Back to the dashboard</a></p>
    <ul>${navigation.join('')}<li><a href="#errors">Errors</a></li></ul></nav>
    <main><h1>API</h1><p>${prose(info.description)}</p>
    <p>Version ${text(info.version)}. <a href="/openapi.json">The same as OpenAPI</a></p>${sections.join('')}
    <section aria-labelledby="errors"><h2 id="errors">Errors</h2><div class="wide" role="region" aria-label="Codes" tabindex="0"><table><tbody>${errors}</tbody></table></div></section></main>`;
}

type Find = (schema: Schema) => Schema;
type Located = { readonly path: string; readonly method: string; readonly operation: Operation };

function operationOf({ path, method, operation }: Located, found: Find): string {
  const {
    operationId: id,
    summary,
    description,
    parameters = [],
    requestBody,
    responses,
    security,
  } = operation;
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const rows = parameters.map((each) => {
    const parameter = found(each as Schema) as unknown as Parameter;
    return row(
      parameter.name,
      `${typeOf(parameter.schema ?? {}, found)}, ${parameter.in}`,
      parameter,
      parameter.required,
    );
  });
  const hasKey = security?.some((each) => 'apiKey' in each);
  const sample = body && (Object.values(body.examples ?? {})[0]?.value ?? body.example);
  const command = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} https://your-service${path}`,
    ...(hasKey ? ["-H 'Authorization: Bearer YOUR_KEY'"] : []),
    ...(sample === undefined ? [] : [`-H 'Content-Type: ${type}'`, `-d '${JSON.stringify(sample)}'`]),
  ].join(' \\\n  ');
  const answers = Object.entries(responses).map(([status, answer]) =>
    answerOf(status, answer, summary, found),
  );
  return `<article aria-labelledby="${id}"><h3 id="${id}">${text(summary)}</h3>
    <p class="path"><b>${method.toUpperCase()}</b> <code>${text(path)}</code></p>
    ${description ? `<p>${prose(description)}</p>` : ''}
    ${rows.length > 0 ? table('Parameters', summary, rows) : ''}
    ${body?.schema ? table('Body', summary, fieldsOf(body.schema, found)) : ''}
    <pre tabindex="0" aria-label="Example of a request"><code>${text(command)}</code></pre>
    <h4>Responses</h4>${answers.join('')}</article>`;
}

function answerOf(
  status: string,
  answer: Operation['responses'][string],
  summary: string,
  found: Find,
): string {
  const { description = '', content = {} } = found(answer as Schema) as unknown as typeof answer;
  const [body] = Object.values(content);
  const sample = body?.example ?? Object.values(body?.examples ?? {})[0]?.value;
  const title = `<b>${status}</b> ${prose(description)}`;
  if (!status.startsWith('2') || !body) return `<p>${title}</p>`;
  const fields = body.schema ? fieldsOf(body.schema, found) : [];
  return `<details><summary>${title}</summary>
    ${fields.length > 0 ? table('Fields', summary, fields) : ''}
    ${sample === undefined ? '' : `<pre tabindex="0" aria-label="Example of a response"><code>${text(JSON.stringify(sample, null, 2))}</code></pre>`}
  </details>`;
}

/** Returns the rows of an object's fields, with those of the objects in its lists. */
function fieldsOf(schema: Schema, found: Find, prefix = '', depth = 0): string[] {
  const { properties = {}, required = [] } = found(schema);
  return Object.entries(properties).flatMap(([name, each]) => {
    const field = found(each);
    const within = field.items ? found(field.items) : field;
    return [
      row(`${prefix}${name}`, typeOf(each, found), { ...field, ...each }, required.includes(name)),
      ...(depth < 1 ? fieldsOf(within, found, `${prefix}${name}${field.items ? '[]' : ''}.`, depth + 1) : []),
    ];
  });
}

function row(
  name: string,
  type: string,
  { description = '' }: { description?: string },
  isRequired = false,
): string {
  return `<tr><th scope="row"><code>${text(name)}</code>${isRequired ? ' <small>required</small>' : ''}</th>
    <td>${type}</td><td>${prose(description)}</td></tr>`;
}

const table = (name: string, of: string, rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<h4>${name}</h4><div class="wide" role="region" aria-label="${name}: ${text(of)}" tabindex="0"><table><tbody>${rows.join('')}</tbody></table></div>`;

function typeOf(schema: Schema, found: Find): string {
  const { type, enum: values, const: constant, anyOf, oneOf, items, title } = found(schema);
  if (constant !== undefined) return `<code>${text(JSON.stringify(constant))}</code>`;
  if (values) return values.map((value) => `<code>${text(String(value))}</code>`).join(', ');
  const some = anyOf ?? oneOf;
  if (some) return [...new Set(some.map((each) => typeOf(each, found)))].join(' or ');
  if (items) return `list of ${typeOf(items, found)}`;
  return text(title ?? [type ?? 'any'].flat().join(' or '));
}

const text = (raw: string): string =>
  raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns HTML for the little Markdown that descriptions have: code, bold text and paragraphs. */
const prose = (markdown: string): string =>
  text(markdown)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replaceAll('\n\n', '<br><br>');
