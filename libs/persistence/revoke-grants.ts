import type { Revocation } from '#access/revocation.store.js';
import { REVOCATION_LIFE_MS } from '#authorization/stores/grant.store.js';
import { Prisma } from './generated/client.js';

/**
 * Ends grants, in one statement: their rows and the records that name them go, and a revocation stands for each. Those of
 * no tenant stay as expired ones until they are swept, so that nothing brings one back. A person who is being asked for
 * consent stays where they are: what they allow is a new grant.
 * @param which a condition on `oauth_grants`
 * @returns the revocations written
 */
export function revokeGrants(
  client: Prisma.TransactionClient,
  which: Prisma.Sql,
): Prisma.PrismaPromise<readonly Revocation[]> {
  return client.$queryRaw<Revocation[]>`
    WITH ended AS (
      DELETE FROM oauth_grants WHERE (${which}) AND tenant_id IS NOT NULL RETURNING tenant_id, id
    ), closed AS (
      UPDATE oauth_grants SET expires_at = least(expires_at, now() - interval '1 minute')
      WHERE (${which}) AND tenant_id IS NULL RETURNING id
    ), forgotten AS (
      DELETE FROM oauth_records
      WHERE grant_id IN (SELECT id FROM ended UNION ALL SELECT id FROM closed) AND kind <> 'Interaction'
    )
    ${insertRevocations(Prisma.sql`SELECT tenant_id, id AS subject FROM ended`)}`;
}

/**
 * The end of a statement that writes revocations and returns them. One that stands already is made anew, so that nodes
 * that ask what was revoked of late hear of it.
 * @param subjects selects `tenant_id` and `subject`
 */
export function insertRevocations(subjects: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO revocations AS known (tenant_id, subject, expires_at)
    SELECT tenant_id, subject, now() + make_interval(secs => ${REVOCATION_LIFE_MS / 1_000}::double precision)
    FROM (${subjects}) AS revoked
    ON CONFLICT (tenant_id, subject) DO UPDATE
      SET revoked_at = now(), expires_at = greatest(known.expires_at, excluded.expires_at)
    RETURNING tenant_id::text AS "tenantId", subject`;
}
