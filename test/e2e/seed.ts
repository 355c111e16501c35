import type { ListeningApp } from '../helpers/app.ts';
import { Browser } from '../helpers/browser.ts';

/** Colleagues and another organization, for lists that have something in them. */
export async function seedPeople(app: ListeningApp): Promise<void> {
  const owner = await new Browser(app.address).signIn(app.administrator);
  await owner.ask(201, 'POST', '/v1/organizations', { name: 'Research', tier: 'scale' });
  const invitations = `/v1/organizations/${app.orgId}/invitations`;
  const { url } = await owner.ask<{ url: string }>(201, 'POST', invitations, {
    email: 'grace@example.com',
    role: 'member',
  });
  await owner.ask(201, 'POST', invitations, { email: 'alan@example.com', role: 'viewer' });
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
  const grace = { token, name: 'Grace', password: 'correct horse battery' };
  await new Browser(app.address).ask(200, 'POST', '/v1/invitations/accept', grace);
}
