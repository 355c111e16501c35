import { type Kysely, sql } from 'kysely';
import { auditedAny, writeEntry } from '../database/audit.ts';
import { readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import { isOwnedBy } from '../database/sql.ts';
import { unlessDeleted } from '../database/transactions.ts';
import { invalidField, invalidRequest, notFound, type ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { type Channel, channelList, type NewChannel } from './channel.ts';

const maxChannels = 20;
const order = { orders: { created: sql.ref('createdAt') }, id: sql.ref('targetId') };

/** The channels of an organization, or with null those of the installation. */
const isOf = (orgId: string | null) => isOwnedBy('notification_targets', orgId);

export type Channels = ReturnType<typeof channelsIn>;

/** The channels of notices. */
export const channelsIn = (db: Kysely<Database>, clock: Clock) => ({
  /**
   * Adds a channel. Throws `not_found`, and `invalid_request` if the organization has as many as it may have, or one
   * with this address.
   */
  async add(channel: Channel): Promise<void> {
    const { orgId, address } = channel;
    const added = db.transaction().execute(async (transaction) => {
      // On Postgres, concurrent calls don't count each other's channels, and can exceed the maximum by their number.
      const addresses = await transaction
        .selectFrom('notification_targets')
        .select('address')
        .where(isOf(orgId))
        .execute();
      if (addresses.length >= maxChannels)
        throw invalidRequest(`There are at most ${maxChannels} notification channels`);
      if (addresses.some((other) => other.address === address))
        throw invalidField('address', 'address already belongs to another channel');
      await transaction.insertInto('notification_targets').values(channel).execute();
      await writeEntry(transaction, 'channel.create', { after: channel });
    });
    await unlessDeleted(added);
  },

  /** Gives the channel of this kind at this address a name and a secret, and returns it. Undefined: there is none. */
  change: (
    { orgId, kind, address, name }: Omit<NewChannel, 'createdBy'>,
    secret: Partial<Pick<Channel, 'sealedSecret'>>,
  ): Promise<Channel | undefined> =>
    db.transaction().execute(async (transaction) => {
      const channels = transaction.selectFrom('notification_targets').selectAll();
      const same = channels.where(isOf(orgId)).where((eb) => eb.and({ kind, address }));
      const before = await same.executeTakeFirst();
      if (!before) return undefined;
      const changes = { name: name ?? null, ...secret };
      const after = { ...before, ...changes };
      const update = transaction.updateTable('notification_targets').set(changes);
      await update.where('targetId', '=', before.targetId).execute();
      await writeEntry(transaction, 'channel.change', { before, after });
      return after;
    }),

  /** Returns a page of an organization's channels. Throws `invalid_request`. */
  async list(orgId: string | null, query: PageQuery): Promise<Page<Channel>> {
    const rows = db.selectFrom('notification_targets').selectAll().where(isOf(orgId));
    return readPage(db, channelList.request(query, [orgId]), { rows, ...order }, (row) => row);
  },

  /** Throws `not_found`. */
  async get(orgId: string, targetId: string): Promise<Channel> {
    const channel = await findChannel(db, targetId);
    if (channel?.orgId !== orgId) throw noChannel();
    return channel;
  },

  /** Finds a channel of any organization. */
  find: (targetId: string): Promise<Channel | undefined> => findChannel(db, targetId),

  /** Reports whether a member of the organization has verified this address. */
  async isOfMember(orgId: string, address: string): Promise<boolean> {
    const member = await db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.userId')
      .select('users.id')
      .where((eb) => eb.and({ 'members.orgId': orgId, 'users.email': address, 'users.emailVerified': 1 }))
      .executeTakeFirst();
    return member !== undefined;
  },

  /** Does nothing if the channel is gone or was confirmed before. */
  async confirm(targetId: string): Promise<void> {
    await auditedAny(db, 'channel.confirm', (transaction) =>
      transaction
        .updateTable('notification_targets')
        .set({ confirmedAt: clock.now() })
        .where('targetId', '=', targetId)
        .where('confirmedAt', 'is', null)
        .returningAll(),
    );
  },

  /** Deletes the channel and its deliveries. Throws `not_found`. */
  async delete(orgId: string | null, targetId: string): Promise<void> {
    const isDeleted = await auditedAny(db, 'channel.delete', (transaction) =>
      transaction
        .deleteFrom('notification_targets')
        .where(isOf(orgId))
        .where('targetId', '=', targetId)
        .returningAll(),
    );
    if (!isDeleted) throw noChannel();
  },
});

export const findChannel = (db: Kysely<Database>, targetId: string): Promise<Channel | undefined> =>
  db.selectFrom('notification_targets').selectAll().where('targetId', '=', targetId).executeTakeFirst();

export const noChannel = (): ServiceError => notFound('No such channel');
