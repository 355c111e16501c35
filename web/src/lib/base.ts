/** The path of the service's address, which it writes into the document; empty if it has none. */
export const base = document.documentElement.dataset.base ?? '';
