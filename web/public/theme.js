// Sets the chosen theme, and whether the page has the frame, before anything is painted. It is not a module, so that the
// browser runs it at once.
const theme = localStorage.getItem('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
const { base = '' } = document.documentElement.dataset;
const pathname = location.pathname.slice(base.length);
if (/^\/(organizations|account|users|service)/.test(pathname)) document.documentElement.dataset.frame = '';

// The frame needs to know who is signed in, and the organization. The scripts, which ask for it, take seconds on a slow
// network.
if ('frame' in document.documentElement.dataset && localStorage.getItem(`signed-in${base}`)) {
  const of = /^\/organizations\/[\w-]+/.exec(pathname)?.[0];
  for (const path of ['/me', ...(of ? [of, `${of}/alerts?status=open&limit=100`] : [])]) {
    const link = Object.assign(document.createElement('link'), {
      rel: 'preload',
      as: 'fetch',
      crossOrigin: '',
    });
    link.href = `${base}/v1${path}`;
    document.head.append(link);
  }
}
