import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';
import { reference } from './reference.ts';

/** What every page behind the sign-in has. */
const inFrame =
  /src\/(ui\/(?!finder)|lib|api|frame\/(?!palette|session-ended|shortcut-list))|node_modules\/(react|react-dom|scheduler|lucide-react|@tanstack|@radix-ui|@floating-ui)\//;

/** What several pages of an organization share. */
const inSeveralPages =
  /src\/pages\/organization\/(limits|start\/start|alerts\/alert-|requests\/(remedies|outcome|request-)|keys\/(snippets|example|first-request|key-status|use-key))/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), reference(), precompress()],
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
            { name: 'frame', test: inFrame, priority: 10 },
            { name: 'shared', test: inSeveralPages, priority: 5 },
            { name: 'charts', test: /src\/charts|node_modules\/(d3-|internmap)/, priority: 2 },
            { name: 'palette', test: /cmdk|frame\/palette|ui\/finder/, priority: 3 },
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
