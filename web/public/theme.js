// Sets the chosen theme, and whether the page has the frame, before anything is painted, and loads the page's scripts
// beside the frame. It is not a module, so that the browser runs it at once.
const theme = localStorage.getItem('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
if (/^\/(organizations|account|users|service)/.test(location.pathname))
  document.documentElement.dataset.frame = '';
const [, page] = /^\/organizations\/[^/]+\/(\w+)/.exec(location.pathname) ?? [];
const chunks = JSON.parse(document.querySelector('meta[name=page-chunks]')?.content ?? '{}');
for (const href of chunks[page] ?? [])
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
  );
