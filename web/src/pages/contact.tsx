import { useQuery } from '@tanstack/react-query';
import { signInOptionsQuery } from '../api/auth.ts';

/** Whom people write to for what only the operator of the service can change. */
export function Contact() {
  const contact = useQuery(signInOptionsQuery).data?.contact;
  if (!contact) return 'the operator of this service';
  return (
    <a href={`mailto:${contact}`} className="text-accent underline">
      {contact}
    </a>
  );
}
