import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const installed = (name) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

export default defineConfig({
  plugins: [tailwindcss()],
  // Ladle is installed elsewhere, with a React of its own.
  resolve: { alias: { react: installed('react'), 'react-dom': installed('react-dom') } },
});
