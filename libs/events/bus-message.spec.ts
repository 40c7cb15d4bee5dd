import { describe, expect, it } from '@jest/globals';
import { decodeBusMessage, encodeBusMessage } from './bus-message.js';
import type { Change } from './change.js';

const CHANGES: readonly Change[] = [
  { type: 'catalogue', tenantId: 't', slug: 'acme', revision: 7 },
  { type: 'resource', tenantId: 't', uri: 'x://\n"ä' },
  { type: 'revocation', tenantId: 't', subject: 'grant' },
];

describe('a message of the bus', () => {
  it.each(CHANGES)('comes as it was sent: $type', (change) => {
    const message = { sender: 'node', change, entryId: '12' };
    expect(decodeBusMessage(encodeBusMessage(message))).toEqual(message);
  });

  it('may point to an entry of the outbox', () => {
    const message = { sender: 'node', change: undefined, entryId: '12' };
    expect(decodeBusMessage(encodeBusMessage(message))).toEqual(message);
  });

  it.each([
    '',
    'PING',
    '[]',
    'null',
    '{"v":2,"sender":"node","change":{"type":"resource","tenantId":"t","uri":"x"}}',
    '{"v":1,"change":{"type":"resource","tenantId":"t","uri":"x"}}',
    '{"v":1,"sender":"node","change":{"type":"resource","uri":"x"}}',
    '{"v":1,"sender":"node","change":{"type":"resource","tenantId":"","uri":"x"}}',
    '{"v":1,"sender":"node","change":{"type":"resource","tenantId":"t","uri":["x"]}}',
    '{"v":1,"sender":"node","change":{"type":"catalogue","tenantId":"t","slug":"acme","revision":"7"}}',
    '{"v":1,"sender":"node","change":{"type":"shutdown","tenantId":"t"}}',
    '{"v":1,"sender":"node","entryId":"1; drop","change":{"type":"resource","tenantId":"t","uri":"x"}}',
    '{"v":1,"sender":"node","change":null}',
    `{"v":1,"sender":"node","change":{"type":"resource","tenantId":"t","uri":"${'x'.repeat(70_000)}"}}`,
    `{"v":1,"sender":"node","change":${'['.repeat(50)}${']'.repeat(50)}}`,
  ])('is dropped when it is %j', (text) => {
    expect(decodeBusMessage(text)).toBeUndefined();
  });
});
