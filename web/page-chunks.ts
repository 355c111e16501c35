import type { Plugin } from 'vite';

/**
 * Lists the scripts of each page of an organization in the document, so that public/theme.js can load them beside the
 * frame. Otherwise they would be requested only once the frame has arrived.
 */
export function pageChunks(): Plugin {
  return {
    name: 'page-chunks',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, filename }) {
        if (!filename.endsWith('index.html')) return [];
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        // The document loads these itself.
        const [entry] = chunks.filter(
          ({ isEntry, facadeModuleId }) => isEntry && facadeModuleId === filename,
        );
        const loaded = new Set(entry ? [entry.fileName, ...entry.imports] : []);
        const pages: Record<string, string[]> = {};
        const frames = chunks.filter((chunk) =>
          chunk.facadeModuleId?.endsWith('/organization/organization.tsx'),
        );
        for (const chunk of chunks) {
          const [, page] = /pages\/organization\/(\w+)\/\1\.tsx$/.exec(chunk.facadeModuleId ?? '') ?? [];
          if (!page) continue;
          const files = [...frames, chunk].flatMap(({ fileName, imports }) => [fileName, ...imports]);
          pages[page] = [...new Set(files)].filter((file) => !loaded.has(file)).map((file) => `/${file}`);
        }
        const attrs = { name: 'page-chunks', content: JSON.stringify(pages) };
        return [{ tag: 'meta', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}
