// Sets the chosen theme before anything is painted. It is not a module, so that the browser runs it at once.
const theme = localStorage.getItem('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
