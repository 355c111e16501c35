import { markdownTable } from './markdown-table.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
}

/** The parts of the API's description that the page needs. */
export interface ApiDescription {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<(typeof methods)[number], Operation>>>>>;
}

/** The page docs/routes.md: each operation of the API's description, by tag. */
export function routesPage({ tags, paths }: ApiDescription): string {
  const sections = tags.map(({ name, description }) => {
    const rows = Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method];
        if (!operation?.tags?.includes(name)) return [];
        return [[`\`${method.toUpperCase()} ${path}\``, operation.summary ?? '', whoMay(operation)]];
      }),
    );
    return `## ${name}\n\n${description}\n\n${markdownTable(['route', 'does', 'for'], rows)}\n`;
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `<!-- Written by "npm run openapi". Change the routes' descriptions instead. -->

# Routes

All routes of the API. [openapi.json](openapi.json) describes their fields, responses and examples, and a running service shows it at
\`/docs\`. [Errors](errors.md) explains the error codes, and [who may do what](access.md#roles) the roles.
`;

/** Returns who may call it: the last sentence of its description, if it has one. */
function whoMay({ description = '' }: Operation): string {
  const [, who] = /(?:^|\n)For: (.*)\.$/.exec(description) ?? [];
  return who ?? 'everyone';
}
