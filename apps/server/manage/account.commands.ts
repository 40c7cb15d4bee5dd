import { makeUpPassword } from '#authorization/accounts/passwords.js';
import { labelOf, type Account, LoginTakenError } from '#authorization/stores/account.store.js';
import type { Command } from './command.js';
import { accountOf, grantsEnded, type ManageContext, ManageError } from './context.js';
import { table } from './table.js';

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** People. */
export const ACCOUNT_COMMANDS: Readonly<Record<string, Command>> = {
  'account list': {
    usage: 'account list',
    meaning: "list the accounts; those of a tenant's own sign-in are named by their id in other commands",
    words: [0, 0],
    run: async (context) => {
      const rows = (await context.accounts.list()).map(async (account) => [
        labelOf(account),
        account.name,
        account.status,
        await originOf(context, account),
        account.id,
      ]);
      return table(['e-mail', 'name', 'status', 'signs in', 'id'], await Promise.all(rows));
    },
  },
  'account add': {
    usage: 'account add EMAIL [--name NAME]',
    meaning: 'make an account; prints its password this once',
    options: { name: { type: 'string' } },
    words: [1, 1],
    run: async ({ accounts, passwords }, { positionals: [email = ''], text }) => {
      if (!EMAIL.test(email)) throw new ManageError(`"${email}" is no e-mail address.`);
      const password = makeUpPassword();
      const passwordHash = await passwords.hash(password);
      try {
        await accounts.create({ login: email, name: text('name') ?? email, passwordHash });
      } catch (error) {
        throw error instanceof LoginTakenError ? new ManageError(error.message) : error;
      }
      return `e-mail    ${email}\npassword  ${password}\nIt is shown this once. Make the person a member: member set SLUG ${email}`;
    },
  },
  'account password': {
    usage: 'account password EMAIL',
    meaning: 'give the account a new password; prints it this once',
    words: [1, 1],
    run: async (context, { positionals: [email] }) => {
      const account = await accountOf(context, email);
      if (account.login === null) throw new ManageError(`${labelOf(account)} signs in without a password.`);
      const password = makeUpPassword();
      await context.accounts.setPassword(account.id, await context.passwords.hash(password));
      return `password  ${password}`;
    },
  },
  'account disable': {
    usage: 'account disable EMAIL',
    meaning: 'let the account in no more; its tokens end',
    words: [1, 1],
    run: async (context, { positionals: [email] }) => {
      const account = await accountOf(context, email);
      const ended = await context.accounts.setStatus(account.id, 'disabled');
      return `${labelOf(account)} is disabled: ${grantsEnded(ended)}.`;
    },
  },
  'account enable': {
    usage: 'account enable EMAIL',
    meaning: 'let the account in again; it has to sign in anew',
    words: [1, 1],
    run: async (context, { positionals: [email] }) => {
      const account = await accountOf(context, email);
      await context.accounts.setStatus(account.id, 'active');
      return `${labelOf(account)} is enabled.`;
    },
  },
  'account operator': {
    usage: 'account operator EMAIL on|off',
    meaning:
      'let the account administer every tenant through the admin API, or no longer; counts with the next request',
    words: [2, 2],
    run: async (context, { positionals: [email, state = ''] }) => {
      if (state !== 'on' && state !== 'off')
        throw new ManageError(`"${state}" is neither "on" nor "off". Usage: account operator EMAIL on|off`);
      const account = await accountOf(context, email);
      if (!(await context.accounts.setOperator(account.id, state === 'on')))
        throw new ManageError(`${labelOf(account)} comes through a tenant's own sign-in, and cannot be an operator.`);
      return `${labelOf(account)} is ${state === 'on' ? 'an operator' : 'no operator'} now.`;
    },
  },
};

/** How somebody signs in: with a password, or through the provider of one tenant. */
async function originOf({ tenants }: ManageContext, { tenantId }: Account): Promise<string> {
  return tenantId === null ? 'with a password' : `through ${(await tenants.slugOf(tenantId)) ?? tenantId}`;
}
