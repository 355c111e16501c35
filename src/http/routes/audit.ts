import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import {
  AuditExportQuery,
  AuditExportResponse,
  AuditPageResponse,
  AuditQuery,
  auditFilterOf,
  auditView,
} from '../../api/audit.ts';
import { OrgParams, pageView } from '../../api/common.ts';
import { type AuditFilter, auditList } from '../../audit/entry.ts';
import { type PageQuery, pagesOf } from '../../lib/page.ts';
import type { Relation } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';

/** An entry of a key with many models has 28 KB, and others wait while a page of them is written. */
const rowsAtOnce = 10;
const ofOrganization = '/v1/organizations/:org_id/audit';

type Asked = {
  params: { org_id: string };
  query: Static<typeof AuditExportQuery>;
  relation: Relation;
};

export function auditRoutes(app: App, { stores: { audit } }: Services): void {
  const read = (filter: AuditFilter, query: PageQuery) =>
    audit.page(filter, auditList.request(query, [JSON.stringify(filter)]));
  const filterOf = ({ params, query, relation }: Asked): AuditFilter => ({
    ...auditFilterOf(query, params.org_id),
    // Administrators and keys of the installation act for the operator. Other readers have a role in the organization.
    isForCustomers: typeof relation === 'string' && relation !== 'administrator',
  });
  const send = (reply: FastifyReply, filter: AuditFilter) => {
    const lines = async function* () {
      for await (const entries of pagesOf((query) => read(filter, query), { limit: rowsAtOnce }))
        yield entries.map((entry) => `${JSON.stringify(auditView(entry))}\n`).join('');
    };
    reply.type('application/jsonl').header('content-disposition', 'attachment; filename="audit.jsonl"');
    return reply.send(Readable.from(lines()));
  };

  app.get(
    ofOrganization,
    described('audit.read', 'listAudit', 'List who has changed what in an organization', {
      description: 'Newest first. See [the audit log](access.md#audit-log).',
      params: OrgParams,
      querystring: AuditQuery,
      response: { 200: AuditPageResponse },
    }),
    async (request) => pageView(await read(filterOf(request), request.query), auditView),
  );

  app.get(
    `${ofOrganization}/export`,
    described('audit.read', 'exportAudit', 'Export the audit log of an organization as JSON lines', {
      params: OrgParams,
      querystring: AuditExportQuery,
      response: { 200: AuditExportResponse },
    }),
    async (request, reply) => send(reply as FastifyReply, filterOf(request)),
  );

  app.get(
    '/v1/audit',
    described('audit.read', 'listAllAudit', 'List who has changed what in the installation', {
      description:
        'The entries of all organizations, also of deleted ones, and those of no organization, such as sign-ins.',
      querystring: AuditQuery,
      response: { 200: AuditPageResponse },
    }),
    async ({ query }) => pageView(await read(auditFilterOf(query), query), auditView),
  );
}
