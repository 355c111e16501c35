/**
 * Copies a text to the clipboard. Returns false if the browser did not allow it. `navigator.clipboard` exists only in
 * secure contexts, which a page over plain HTTP is not; the older command works there too, within a click.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  const put = (event: ClipboardEvent): void => {
    event.preventDefault();
    // Other listeners, such as an open dialog, must not replace it.
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', put, { capture: true, once: true });
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    document.removeEventListener('copy', put, { capture: true });
  }
}
