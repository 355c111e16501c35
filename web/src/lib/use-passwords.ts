import { useQuery } from '@tanstack/react-query';
import { signInOptionsQuery } from '../api/auth.ts';

/** Reports whether people may have passwords. Assumes it until the service has said otherwise. */
export const usePasswords = (): boolean => useQuery(signInOptionsQuery).data?.password_sign_in !== 'off';
