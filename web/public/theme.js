// Sets the chosen theme, and whether the page has the frame, before anything is painted. It is not a module, so that the
// browser runs it at once.
const theme = localStorage.getItem('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
if (/^\/(organizations|account|users|service)/.test(location.pathname))
  document.documentElement.dataset.frame = '';

// These pages need to know who is signed in. The scripts, which ask for it, take seconds on a slow network.
if ('frame' in document.documentElement.dataset) {
  const me = Object.assign(document.createElement('link'), { rel: 'preload', as: 'fetch', crossOrigin: '' });
  me.href = '/v1/me';
  document.head.append(me);
}
