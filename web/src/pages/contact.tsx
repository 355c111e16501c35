import { useQuery } from '@tanstack/react-query';
import { signInOptionsQuery } from '../api/auth.ts';

/** The address to write to for changes that only the operator can make. */
export function Contact() {
  const contact = useQuery(signInOptionsQuery).data?.contact;
  if (!contact) return 'the operator of this service';
  return (
    <a href={`mailto:${contact}`} className="text-accent underline">
      {contact}
    </a>
  );
}
