import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSignedWith, readWebhookFields, type WebhookFields } from './webhook-signature.js';

// Example of the Standard Webhooks specification.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = Buffer.from('{"test": 2432232314}');
const SENT = 1_614_265_330;
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': String(SENT),
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

function fieldsOf(more: Record<string, string> = {}): WebhookFields {
  const fields = readWebhookFields({ ...HEADERS, ...more }, SENT * 1_000);
  if (typeof fields === 'string') throw new Error(fields);
  return fields;
}

describe('a signed message', () => {
  it('is known by its secret, as the Standard Webhooks scheme signs it', () => {
    expect(isSignedWith(SECRET, fieldsOf(), BODY)).toBe(true);
  });

  it('may carry several signatures, as while a secret is changed', () => {
    const signatures = `v1a,x v1,AAAA ${HEADERS['webhook-signature']}`;
    expect(isSignedWith(SECRET, fieldsOf({ 'webhook-signature': signatures }), BODY)).toBe(true);
  });

  it('may be signed with a secret that is a text', () => {
    const mac = createHmac('sha256', 'a plain text').update(`x.${SENT}.`).update(BODY).digest('base64');
    const fields = fieldsOf({ 'webhook-id': 'x', 'webhook-signature': `v1,${mac}` });
    expect(isSignedWith('a plain text', fields, BODY)).toBe(true);
  });

  it.each([
    ['another secret', 'whsec_AAAA', {}, BODY],
    ['no secret', 'whsec_', {}, BODY],
    ['another body', SECRET, {}, Buffer.from('{"test": 2432232315}')],
    ['another id', SECRET, { 'webhook-id': 'msg_2' }, BODY],
    ['another time', SECRET, { 'webhook-timestamp': String(SENT + 1) }, BODY],
    ['another version of the scheme', SECRET, { 'webhook-signature': HEADERS['webhook-signature'].slice(3) }, BODY],
  ])('is refused with %s', (_what, secret, more, body) => {
    expect(isSignedWith(secret, fieldsOf(more), body)).toBe(false);
  });

  it.each([
    [{ 'webhook-id': undefined }, /^webhook-id is missing/],
    [{ 'webhook-id': 'a b' }, /^webhook-id is missing or malformed/],
    [{ 'webhook-timestamp': '1e3' }, /^webhook-timestamp is missing or malformed/],
    [{ 'webhook-timestamp': String(SENT - 301) }, /more than five minutes off/],
    [{ 'webhook-timestamp': String(SENT + 301) }, /more than five minutes off/],
    [{ 'webhook-signature': undefined }, /^webhook-signature is missing/],
  ])('is not read with %j', (more, problem) => {
    expect(readWebhookFields({ ...HEADERS, ...more }, SENT * 1_000)).toMatch(problem);
  });
});
