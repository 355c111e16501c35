import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    // What the size check follows from page to chunk.
    manifest: true,
    reportCompressedSize: false,
    // The content security policy has no room for data: addresses.
    assetsInlineLimit: 0,
  },
  // `npm run dev` starts the service beside it.
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/auth': 'http://127.0.0.1:8080' } },
});
