import { describe, expect, it } from '@jest/globals';
import { challengeField, rejectionFields } from './headers.js';

describe('WWW-Authenticate', () => {
  it('says where tokens come from, for which scopes, and what was wrong', () => {
    expect(
      challengeField({
        resourceMetadata: 'https://mcp.example.com/.well-known/oauth-protected-resource/t/a/mcp',
        scope: ['mcp', 'files:read'],
        error: 'insufficient_scope',
        description: 'More scopes are needed.',
      }),
    ).toBe(
      'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/t/a/mcp", ' +
        'scope="mcp files:read", error="insufficient_scope", error_description="More scopes are needed."',
    );
  });

  it('stays a challenge when there is nothing to say', () => {
    expect(challengeField({ scope: [] })).toBe('Bearer realm="mcp"');
  });

  it('holds nothing that ends its strings or its line', () => {
    expect(challengeField({ description: 'a "b" \\ c\r\nSet-Cookie: d=ü' })).toBe(
      'Bearer error_description="a \\"b\\" \\\\ c??Set-Cookie: d=?"',
    );
  });

  it('leaves out more scopes than parsers of headers take', () => {
    expect(challengeField({ error: 'insufficient_scope', scope: Array<string>(500).fill('a'.repeat(100)) })).toBe(
      'Bearer error="insufficient_scope"',
    );
  });

  it('comes with the rejections that have a challenge alone', () => {
    expect(rejectionFields({ kind: 'unauthorized', message: '', challenge: {} })).toHaveProperty('www-authenticate');
    expect(rejectionFields({ kind: 'forbidden_origin', message: '' })).toEqual({});
  });
});
