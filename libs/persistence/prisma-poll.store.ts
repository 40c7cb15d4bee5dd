import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Change } from '#events/change.js';
import type { OutboxEntry } from '#events/outbox.js';
import { type DuePoll, type PollOutcome, PollStore, type Sighting } from '#sources/polls/poll.store.js';
import type { SourceRecord } from '#tenancy/tenant.store.js';
import { appendToOutbox } from './append-to-outbox.js';
import { Database } from './database.js';

/** How many resources of one tenant are looked at at a time, on all nodes together: one slow service holds up no others. */
const LOOKS_OF_TENANT = 8;

interface ClaimedRow extends Sighting, Omit<SourceRecord, 'kind'> {
  readonly tenantId: string;
  readonly slug: string;
  readonly failures: number;
}

/** Which resources are looked at, in Postgres. What is due is told by the database's clock, which is one for all nodes. */
@Injectable()
export class PrismaPollStore extends PollStore {
  constructor(private readonly database: Database) {
    super();
  }

  async enlist(milliseconds: number): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO resource_polls (tenant_id, source_id, version)
      SELECT tenant_id, id, version FROM sources
      WHERE kind = 'resource'
        AND updated_at > now() - make_interval(secs => ${milliseconds / 1_000}::double precision)
        AND definition #>> '{updates,poll,intervalSeconds}' IS NOT NULL
      ON CONFLICT (tenant_id, source_id) DO UPDATE
      SET version = excluded.version, next_at = now(), claim = NULL, etag = NULL, last_modified = NULL, digest = NULL, failures = 0
      WHERE resource_polls.version <> excluded.version`;
  }

  async claim(limit: number, leaseMs: number): Promise<readonly DuePoll[]> {
    const claim = randomUUID();
    const rows = await this.database.client.$queryRaw<ClaimedRow[]>`
      WITH ranked AS (
        SELECT poll.tenant_id, poll.source_id,
          row_number() OVER (PARTITION BY poll.tenant_id ORDER BY poll.next_at)
            + count(*) FILTER (WHERE poll.claim IS NOT NULL AND poll.next_at > now()) OVER (PARTITION BY poll.tenant_id)
            AS place
        FROM resource_polls AS poll
        JOIN tenants AS tenant ON tenant.id = poll.tenant_id
        WHERE poll.next_at <= now() + make_interval(secs => ${leaseMs / 1_000}::double precision)
          AND (poll.next_at <= now() OR poll.claim IS NOT NULL) AND tenant.status = 'active' AND tenant.deletes_at IS NULL
      ), due AS (
        SELECT poll.tenant_id, poll.source_id FROM resource_polls AS poll
        JOIN ranked ON ranked.tenant_id = poll.tenant_id AND ranked.source_id = poll.source_id
        WHERE poll.next_at <= now() AND ranked.place <= ${LOOKS_OF_TENANT}
        ORDER BY ranked.place, poll.next_at LIMIT ${limit}
        FOR UPDATE OF poll SKIP LOCKED
      )
      UPDATE resource_polls AS poll
      SET claim = ${claim}::uuid, next_at = now() + make_interval(secs => ${leaseMs / 1_000}::double precision)
      FROM due
      JOIN sources AS source ON source.tenant_id = due.tenant_id AND source.id = due.source_id
      JOIN tenants AS tenant ON tenant.id = due.tenant_id
      WHERE poll.tenant_id = due.tenant_id AND poll.source_id = due.source_id
      RETURNING poll.tenant_id::text AS "tenantId", tenant.slug, source.id::text, source.name, source.definition,
        source.version, poll.etag, poll.last_modified AS "lastModified", poll.digest, poll.failures`;
    return rows.map(({ tenantId, slug, etag, lastModified, digest, failures, ...source }) => {
      return {
        ...{ etag, lastModified, digest, failures, claim },
        tenant: { id: tenantId, slug },
        source: { ...source, kind: 'resource' },
      };
    });
  }

  async settle(
    { tenant, source, claim }: DuePoll,
    { etag, lastModified, digest, failures, nextInMs }: PollOutcome,
    changes: readonly Change[],
  ): Promise<readonly OutboxEntry[]> {
    return this.database.client.$transaction(async (transaction) => {
      const kept = await transaction.$executeRaw`
        UPDATE resource_polls
        SET claim = NULL, etag = ${etag}, last_modified = ${lastModified}, digest = ${digest}, failures = ${failures},
          next_at = now() + make_interval(secs => ${nextInMs / 1_000}::double precision)
        WHERE tenant_id = ${tenant.id}::uuid AND source_id = ${source.id}::uuid AND claim = ${claim}::uuid`;
      return kept === 0 ? [] : appendToOutbox(transaction, changes);
    });
  }
}
