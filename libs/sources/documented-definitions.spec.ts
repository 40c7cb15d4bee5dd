import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OutboundClient } from '#outbound/outbound-client.js';
import type { JsonObject } from '#protocol/json.js';
import { DEFAULT_SCHEMA_LIMITS } from '#schema/schema-limits.js';
import type { SourceKind } from '#tenancy/tenant.store.js';
import { RegisteredSources } from './registered-sources.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/resources-and-prompts.md'), 'utf8');
const examples = [...page.matchAll(/^```json (resource|prompt)\n(.*?)^```/gms)].map(([, kind, text]) => {
  return { kind: kind as SourceKind, definition: JSON.parse(text ?? '') as JsonObject };
});

describe('docs/resources-and-prompts.md', () => {
  const sources = new RegisteredSources({
    limits: DEFAULT_SCHEMA_LIMITS,
    secrets: { read: () => Promise.reject(new Error('Nothing is called while compiling.')) },
    outbound: new OutboundClient({ allowedNetworks: [] }),
    wrap: (handler) => handler,
  });

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(5);
  });

  it.each(examples)('shows a $kind that works (%#)', ({ kind, definition }) => {
    const source = { id: 'id', name: 'example', kind, definition, version: 1 };
    const { entries } = sources.compile(source, { id: 'tenant', slug: 'tenant' });
    expect(Object.values(entries).flat()).toHaveLength(1);
  });
});
