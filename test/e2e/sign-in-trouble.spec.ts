import { expect, it, jest } from '@jest/globals';
import { RecordStore } from '#authorization/stores/record.store.js';
import { NotesModule } from '#server/demo/notes.module.js';
import { firstTenants } from '#server/seed.js';
import { asPage, OAuthClient } from '../support/oauth-client.js';
import { Person, textOf } from '../support/person.js';
import { runServer } from '../support/running-server.js';

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
