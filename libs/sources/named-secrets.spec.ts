import { describe, expect, it } from '@jest/globals';
import { secretsNamedBy } from './named-secrets.js';

describe('the secrets that a definition names', () => {
  it('are those of its credentials and of its webhook, each with its place', () => {
    const definition = {
      credentials: [{ type: 'bearer', secret: 'one' }, { type: 'none' }, { type: 'bearer', secret: 'two' }],
      updates: { webhook: { secret: 'hook' } },
    };
    expect(secretsNamedBy({ kind: 'resource', definition })).toEqual([
      { name: 'one', pointer: '/credentials/0/secret' },
      { name: 'two', pointer: '/credentials/2/secret' },
      { name: 'hook', pointer: '/updates/webhook/secret' },
    ]);
    const single = { credentials: { type: 'bearer', secret: 'one' } };
    expect(secretsNamedBy({ kind: 'http_tool', definition: single })).toEqual([
      { name: 'one', pointer: '/credentials/secret' },
    ]);
    expect(secretsNamedBy({ kind: 'prompt', definition: {} })).toEqual([]);
  });
});
