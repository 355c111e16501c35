// What index.html loads first. It is small, so that the page that most visits begin with loads beside the frame instead
// of after it, which takes a second on a slow network.

import './styles.css';

void import('./main.tsx');
// The page shows by itself that its code could not be loaded.
if (/\/organizations\/[\w-]+\/usage$/.test(location.pathname))
  import('./pages/organization/usage/usage.tsx').catch(() => {});
