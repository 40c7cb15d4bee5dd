import { expect, it, jest } from '@jest/globals';
import { RecordStore } from '#authorization/stores/record.store.js';
import { NotesModule } from '#server/demo/notes.module.js';
import { firstTenants } from '#server/seed.js';
import { asPage, OAuthClient } from '../support/oauth-client.js';
import { Person, textOf } from '../support/person.js';
import { runServer } from '../support/running-server.js';
import { personOf } from '../support/secure-demo.js';

it('tells a person that the server failed, and not that the page is too old, when the store does not answer', async () => {
  await using running = await runServer({ modules: [NotesModule], tenants: firstTenants(true).slice(1) });
  const { app, url } = running.server;
  const client = await OAuthClient.register(url);
  const person = new Person('ada@example.com', 'correct horse battery');
  const page = asPage(await person.open(client.authorizationUrl({ resource: running.url('demo-secure') })));

  const failing = jest.spyOn(app.get(RecordStore), 'find').mockRejectedValue(new Error('The database is away'));
  const shown = asPage(await person.signIn(page));
  expect([shown.status, textOf(shown.text)]).toEqual([500, expect.stringContaining('Something went wrong')]);
  expect(shown.text).not.toContain('database');

  failing.mockRestore();
  expect(asPage(await person.signIn(page)).text).toContain('The e-mail address or the password is not right.');
});

it('tells a person whose tab comes late that somebody else has signed in, without a script', async () => {
  await using running = await runServer({ modules: [NotesModule], tenants: firstTenants(true).slice(1) });
  const client = await OAuthClient.register(running.server.url);
  const url = client.authorizationUrl({ resource: running.url('demo-secure') });
  const browser = await personOf(running, ['demo-secure']);
  const other = await personOf(running, ['demo-secure']);

  const first = asPage(await browser.open(url));
  const second = asPage(await browser.open(url));
  const late = await browser.submitOnly(first, '/sign-in', { email: browser.email, password: browser.password });
  const theirs = { email: other.email, password: other.password };
  expect(asPage(await browser.submit(second, '/sign-in', theirs)).text).toContain(other.email);

  const shown = asPage(await browser.open(late));
  expect([shown.status, textOf(shown.text)]).toEqual([400, expect.stringContaining('Somebody else has signed in')]);
  expect(shown.text).not.toContain('<script');
  expect(asPage(await browser.open(url)).text).toContain(other.email);
});
