import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from './precompress.ts';
import { reference } from './reference.ts';

/** What is around every page behind the sign-in, with all that it imports. It is shown before a page has arrived. */
const inFrame = /src\/(main|router|frame\/shell)/;

/** What most pages share. Dialogs and menus load when the first one opens, and on pages that have a menu. */
const inMostPages =
  /src\/(api\/(?!account|audit)|lib|charts\/s|frame\/(live|organization-page)|ui\/(?!dialog-|finder|menu|qr-code)|pages\/(contact|organizations\/new-)|pages\/organization\/(organization|pickers|limits\/limit-text|usage\/export-button|requests\/(outcome|remedies)|keys\/(snippets|example|first-request|key-status|use-key)))|lucide-react/;

/** What some pages of an organization share. */
const inSomePages = /src\/pages\/organization\/(start|alerts\/alert-table|requests\/request-)/;

/** Has the browser ask for the frame together with first.ts, which imports it. */
const preloadFrame: Plugin = {
  name: 'preload-frame',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { filename, bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => filename.endsWith('/index.html') && /\/frame-.*\.js$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
          injectTo: 'head',
        })),
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), reference(), preloadFrame, precompress()],
  experimental: {
    // The service can be below a path. It changes the addresses in the documents, and scripts load others beside them.
    renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `/${name}` : { relative: true }),
  },
  build: {
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    // The content security policy has no room for data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'docs.html'].map((page) => `${import.meta.dirname}/${page}`),
      output: {
        // A few files instead of dozens of small ones.
        codeSplitting: {
          groups: [
            { name: 'preload', test: /preload-helper/, priority: 20 },
            { name: 'frame', test: inFrame, priority: 10 },
            { name: 'shared', test: inMostPages, priority: 8 },
            { name: 'dialogs', test: /ui\/dialog-panel/, priority: 7 },
            { name: 'menus', test: /ui\/menu|organization\/usage\/export\./, priority: 6 },
            { name: 'parts', test: inSomePages, priority: 5 },
            { name: 'limits', test: /organization\/limits/, priority: 5 },
            { name: 'palette', test: /cmdk|frame\/palette|ui\/finder/, priority: 3 },
            { name: 'charts', test: /src\/charts/, priority: 2 },
            { name: 'calendar', test: /react-day-picker|date-fns|day-range/, priority: 3 },
            { name: 'qr', test: /uqr/, priority: 3 },
          ],
        },
      },
    },
  },
  // `npm run dev` starts the service beside it.
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/auth': 'http://127.0.0.1:8080' } },
});
