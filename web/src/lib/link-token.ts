import { useLocation, useNavigate } from '@tanstack/react-router';

/** The code of a key or an address to confirm, of an invitation, and of a new password. */
const code = '[\\da-f-]{36}(?:_\\d+)?\\.[\\w-]{43}|[\\w-]{43}|[\\w-]{32}';
/** A token in a link or in what people paste. Mail filters encode the `=`, also twice, and add text behind it. */
const inLink = new RegExp(`token(?:=|[%-](?:25)*3D)(${code}|[\\w.-]+)`, 'i');

/** Returns the token behind `#token=` in a link, which no server's log contains. */
export const useLinkToken = (): string | null =>
  useLocation({ select: ({ hash }) => inLink.exec(hash)?.[1] ?? null });

/** Returns a function that opens this page with a code that a person enters, or with a whole link. */
export function useEnterCode(): (text: string) => void {
  const navigate = useNavigate();
  return (text) => {
    const plain = text.replace(/[\s\u200b-\u200d\ufeff]/g, '');
    const token = inLink.exec(plain)?.[1] ?? new RegExp(code).exec(plain)?.[0] ?? plain;
    void navigate({ to: '.', hash: `token=${token}`, replace: true });
  };
}

/** Repairs the address of a page if a mail filter has encoded the `#` of a link. */
export function repairLink(): void {
  const { pathname, search } = location;
  const [link, page, token] = /^(.*?)%(?:25)*23(token(?:=|%(?:25)*3D).*)$/i.exec(pathname + search) ?? [];
  if (link) history.replaceState(null, '', `${page}#${token}`);
}
