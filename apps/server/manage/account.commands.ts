import { randomBytes } from 'node:crypto';
import { LoginTakenError } from '#authorization/stores/account.store.js';
import type { Command } from './command.js';
import { accountOf, ManageError, tenantOf } from './context.js';

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const PASSWORD_BYTES = 15;

/** People, and what they are in which tenant. */
export const ACCOUNT_COMMANDS: Readonly<Record<string, Command>> = {
  'account add': {
    usage: 'account add EMAIL [--name NAME]',
    meaning: 'make an account; prints its password this once',
    options: { name: { type: 'string' } },
    words: [1, 1],
    run: async ({ accounts, passwords }, { positionals: [email = ''], text }) => {
      if (!EMAIL.test(email)) throw new ManageError(`"${email}" is no e-mail address.`);
      const password = randomBytes(PASSWORD_BYTES).toString('base64url');
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
      const { id } = await accountOf(context, email);
      const password = randomBytes(PASSWORD_BYTES).toString('base64url');
      await context.accounts.setPassword(id, await context.passwords.hash(password));
      return `password  ${password}`;
    },
  },
  'account disable': {
    usage: 'account disable EMAIL',
    meaning: 'let the account in no more; its tokens end',
    words: [1, 1],
    run: async (context, { positionals: [email] }) => {
      const ended = await context.accounts.setStatus((await accountOf(context, email)).id, 'disabled');
      return `The account is disabled, and ${ended.length} grants have ended.`;
    },
  },
  'account enable': {
    usage: 'account enable EMAIL',
    meaning: 'let the account in again',
    words: [1, 1],
    run: async (context, { positionals: [email] }) => {
      await context.accounts.setStatus((await accountOf(context, email)).id, 'active');
      return 'The account is enabled.';
    },
  },
  'member set': {
    usage: 'member set SLUG EMAIL [--role ROLE]',
    meaning: 'make the account a member of the tenant, or change its role (member)',
    options: { role: { type: 'string' } },
    words: [2, 2],
    run: async (context, { positionals: [slug, email], text }) => {
      const { id, accessPolicy } = await tenantOf(context, slug);
      const role = text('role') ?? 'member';
      if (!Object.hasOwn(accessPolicy.roles, role)) {
        throw new ManageError(
          `The tenant has no role "${role}". It has: ${Object.keys(accessPolicy.roles).sort().join(', ')}.`,
        );
      }
      await context.accounts.setMembership(id, (await accountOf(context, email)).id, role);
      return `${email ?? ''} is ${role} of ${slug ?? ''}.`;
    },
  },
  'member remove': {
    usage: 'member remove SLUG EMAIL',
    meaning: 'end the membership and the tokens that it allowed',
    words: [2, 2],
    run: async (context, { positionals: [slug, email] }) => {
      const { id } = await tenantOf(context, slug);
      const ended = await context.accounts.removeMembership(id, (await accountOf(context, email)).id);
      return `${email ?? ''} is no member of ${slug ?? ''}, and ${ended.length} grants have ended.`;
    },
  },
};
