import { describe, expect, it } from '@jest/globals';
import { type ClientMetadata, errors } from 'oidc-provider';
import { adaptClientMetadata, isDocumentUrl, ownGrantTypes } from './client-metadata.js';

function adapted(metadata: Partial<ClientMetadata>): ClientMetadata {
  const copy = { client_id: 'id', redirect_uris: ['https://app.example/'], ...metadata } as ClientMetadata;
  adaptClientMetadata(copy);
  return copy;
}

const DOCUMENT = 'https://app.example/client.json';

describe('the metadata of a client', () => {
  it('is that of a native application, whatever it says', () => {
    expect(adapted({ application_type: 'web' }).application_type).toBe('native');
  });

  it('loses what would pin the client or what is not there', () => {
    const left = adapted({
      scope: 'notes:read',
      default_max_age: 1,
      require_auth_time: true,
      subject_type: 'pairwise',
      sector_identifier_uri: 'https://app.example/',
      id_token_signed_response_alg: 'HS256',
    });
    for (const name of ['scope', 'default_max_age', 'require_auth_time', 'subject_type', 'sector_identifier_uri']) {
      expect(left).not.toHaveProperty(name);
    }
    expect(left).not.toHaveProperty('id_token_signed_response_alg');
    expect(adapted({ id_token_signed_response_alg: 'RS256' }).id_token_signed_response_alg).toBe('RS256');
  });

  it('is refused by the provider, not here, where a member is of a wrong type', () => {
    const metadata = { id_token_signed_response_alg: 5 } as unknown as Partial<ClientMetadata>;
    expect(adapted(metadata).id_token_signed_response_alg).toBe(5);
  });

  it('is refused where the URL of a document is longer than tokens can name', () => {
    const ofLength = (length: number) => adapted({ client_id: DOCUMENT.padEnd(length, 'a') });
    expect(ofLength(512).client_id).toHaveLength(512);
    expect(() => ofLength(513)).toThrow(errors.InvalidClientMetadata);
  });

  it('lets who may have codes refresh, and nobody else', () => {
    expect(adapted({}).grant_types).toEqual(['authorization_code', 'refresh_token']);
    expect(adapted({ grant_types: ['authorization_code', 'refresh_token'] }).grant_types).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
    expect(adapted({ grant_types: ['client_credentials'] }).grant_types).toEqual(['client_credentials']);
  });

  it.each([
    'javascript:alert(1)',
    'DATA:text/html,x',
    'da\tta:text/html,x',
    ' data:text/html,x',
    'com.example.app:/a\r\nb',
    'view-source:https://app.example',
    'mailto:a@b',
    'wss://a',
  ])('may not have %j to redirect to', (uri) => {
    expect(() => adapted({ redirect_uris: [uri] })).toThrow(errors.InvalidClientMetadata);
  });

  it('may have twenty redirect URIs of 2,048 characters and a name of 200', () => {
    const uris = Array.from({ length: 20 }, (_, index) => `https://app.example/${index}/`.padEnd(2_048, 'a'));
    expect(() => adapted({ redirect_uris: uris, client_name: 'a'.repeat(200) })).not.toThrow();
    expect(() => adapted({ redirect_uris: [...uris, 'https://app.example/'] })).toThrow(errors.InvalidClientMetadata);
    expect(() => adapted({ redirect_uris: [`${uris[0]}a`] })).toThrow(errors.InvalidClientMetadata);
    expect(() => adapted({ client_name: 'a'.repeat(201) })).toThrow(errors.InvalidClientMetadata);
  });
});

describe('the metadata in a document', () => {
  it.each([undefined, 'none', 'client_secret_basic', 'tls_client_auth'] as const)(
    'is of a public client where it says %s',
    (method) => {
      const { token_endpoint_auth_method: kept } = adapted({
        client_id: DOCUMENT,
        ...(method !== undefined && { token_endpoint_auth_method: method }),
      });
      expect(kept).toBe('none');
    },
  );

  it('may be of a client with keys', () => {
    const given = { client_id: DOCUMENT, token_endpoint_auth_method: 'private_key_jwt' } as const;
    expect(adapted(given).token_endpoint_auth_method).toBe('private_key_jwt');
  });

  it('grants nothing that is an admin’s to give', () => {
    const grants = { client_id: DOCUMENT, grant_types: ['authorization_code', 'client_credentials', 'implicit'] };
    expect(adapted(grants).grant_types).toEqual(['authorization_code', 'refresh_token']);
    expect(() => adapted({ client_id: DOCUMENT, grant_types: ['client_credentials'] })).toThrow(
      errors.InvalidClientMetadata,
    );
  });
});

describe('the grants that a client chooses', () => {
  const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

  it('are codes and refreshing unless it says otherwise', () => {
    expect(ownGrantTypes(undefined)).toEqual(['authorization_code', 'refresh_token']);
  });

  it('are what of its choice is its own', () => {
    expect(ownGrantTypes([DEVICE, 'client_credentials', 'password', 1])).toEqual([DEVICE]);
  });

  it.each([[['client_credentials']], [[]], ['authorization_code'], [{}], [null]])('may not be %j', (types) => {
    expect(() => ownGrantTypes(types)).toThrow(errors.InvalidClientMetadata);
  });
});

describe('the id of a client', () => {
  it.each([
    [DOCUMENT, true],
    ['http://app.example/client.json', false],
    ['urn:x', false],
    ['HTTPS://app.example/client.json', true],
    [undefined, false],
    [1, false],
  ])('%s is the URL of a document: %s', (id, expected) => {
    expect(isDocumentUrl(id)).toBe(expected);
  });
});
