import { useLocation, useNavigate } from '@tanstack/react-router';

/** A token in a link or in what people paste: mail filters encode the `=`, and add parameters behind it. */
const inLink = /token(?:=|%3D)([\w.-]+)/i;

/** Returns the token behind `#token=` in a link, which no server's log contains. */
export const useLinkToken = (): string | null =>
  useLocation({ select: ({ hash }) => inLink.exec(hash)?.[1] ?? null });

/** Returns a function that opens this page with a code that a person enters, or with a whole link. */
export function useEnterCode(): (text: string) => void {
  const navigate = useNavigate();
  return (text) => {
    const token = inLink.exec(text)?.[1] ?? text.replace(/\s/g, '');
    void navigate({ to: '.', hash: `token=${token}`, replace: true });
  };
}

/** Repairs the address of a page if a mail filter has encoded the `#` of a link. */
export function repairLink(): void {
  const { pathname, search } = location;
  const [link, page, token] = /^(.*?)%23(token(?:=|%3D).*)$/i.exec(pathname + search) ?? [];
  if (link) history.replaceState(null, '', `${page}#${token}`);
}
