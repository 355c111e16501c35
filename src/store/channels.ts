import { type Kysely, sql } from 'kysely';
import type { ChannelStore, InsertedChannel } from '../alerts/channel.ts';
import { readPage } from './keyset.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';
import { unlessDeleted } from './transactions.ts';

const order = { orders: { created: sql.ref('createdAt') }, id: sql.ref('targetId') };

export function channelStore(db: Kysely<Database>): ChannelStore {
  return {
    insert(channel, max) {
      const inserted = db.transaction().execute(async (transaction): Promise<InsertedChannel> => {
        await transaction.insertInto('notification_targets').values(channel).execute();
        // On Postgres, concurrent inserts don't count each other, and can exceed the maximum by their number.
        const { count } = await transaction
          .selectFrom('notification_targets')
          .select(sql<number>`CAST(COUNT(*) AS INTEGER)`.as('count'))
          .where('orgId', '=', channel.orgId)
          .executeTakeFirstOrThrow();
        if (count <= max) return 'done';
        await deleteChannel(transaction, channel.orgId, channel.targetId);
        return 'full';
      });
      return unlessDeleted<InsertedChannel, InsertedChannel>(inserted, 'no organization');
    },

    list(orgId, page) {
      const rows = db.selectFrom('notification_targets').selectAll().where('orgId', '=', orgId);
      return readPage(db, page, { rows, ...order }, (row) => row);
    },

    find: (targetId) =>
      db.selectFrom('notification_targets').selectAll().where('targetId', '=', targetId).executeTakeFirst(),

    async isOfMember(orgId, address) {
      const member = await db
        .selectFrom('members')
        .innerJoin('users', 'users.id', 'members.userId')
        .select('users.id')
        .where((eb) => eb.and({ 'members.orgId': orgId, 'users.email': address, 'users.emailVerified': 1 }))
        .executeTakeFirst();
      return member !== undefined;
    },

    async confirm(targetId, nowMs) {
      await db
        .updateTable('notification_targets')
        .set({ confirmedAt: nowMs })
        .where('targetId', '=', targetId)
        .where('confirmedAt', 'is', null)
        .execute();
    },

    delete: (orgId, targetId) => deleteChannel(db, orgId, targetId),
  };
}

function deleteChannel(db: Kysely<Database>, orgId: string, targetId: string): Promise<boolean> {
  return changesAny(db.deleteFrom('notification_targets').where((eb) => eb.and({ orgId, targetId })));
}
