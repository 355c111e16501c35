import { type Kysely, sql } from 'kysely';
import type { ChannelStore, InsertedChannel } from '../alerts/channel.ts';
import { auditedAny, writeEntry } from './audit.ts';
import { readPage } from './keyset.ts';
import type { Database } from './schema.ts';
import { unlessDeleted } from './transactions.ts';

const order = { orders: { created: sql.ref('createdAt') }, id: sql.ref('targetId') };

export function channelStore(db: Kysely<Database>): ChannelStore {
  return {
    insert(channel, max) {
      const inserted = db.transaction().execute(async (transaction): Promise<InsertedChannel> => {
        await transaction.insertInto('notification_targets').values(channel).execute();
        // On Postgres, concurrent inserts don't count each other, and can exceed the maximum by their number.
        const { targetId, orgId, address } = channel;
        const addresses = await transaction
          .selectFrom('notification_targets')
          .select('address')
          .where('orgId', '=', orgId)
          .execute();
        const isKnown = addresses.filter((other) => other.address === address).length > 1;
        const outcome = addresses.length > max ? 'full' : isKnown ? 'known' : 'done';
        if (outcome === 'done') await writeEntry(transaction, 'channel.create', { after: channel });
        else await transaction.deleteFrom('notification_targets').where('targetId', '=', targetId).execute();
        return outcome;
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
      await auditedAny(db, 'channel.confirm', (transaction) =>
        transaction
          .updateTable('notification_targets')
          .set({ confirmedAt: nowMs })
          .where('targetId', '=', targetId)
          .where('confirmedAt', 'is', null)
          .returningAll(),
      );
    },

    delete: (orgId, targetId) =>
      auditedAny(db, 'channel.delete', (transaction) =>
        transaction
          .deleteFrom('notification_targets')
          .where((eb) => eb.and({ orgId, targetId }))
          .returningAll(),
      ),
  };
}
