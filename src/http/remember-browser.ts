import type { FastifyReply } from 'fastify';
import type { Services } from '../service/services.ts';

/** Makes the browser known as the user's. To be called once the user has chosen a new password or changed the second factor. */
export async function rememberBrowser(
  { accounts, devices }: Services,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const credentials = await accounts.credentials(userId);
  if (credentials) reply.header('set-cookie', devices.cookie(credentials));
}
