/** The page for developers that shows every component in every state: `npm run stories`. */
export default {
  stories: 'stories/**/*.stories.tsx',
  viteConfig: '.ladle/vite.config.mjs',
  outDir: '.ladle/build',
  addons: {
    a11y: { enabled: false },
    mode: { enabled: true },
    rtl: { enabled: false },
    source: { enabled: false },
  },
};
