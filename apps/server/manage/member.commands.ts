import { labelOf, UnknownAccountError } from '#authorization/stores/account.store.js';
import type { Command } from './command.js';
import { accountOf, grantsEnded, ManageError, tenantOf } from './context.js';
import { table } from './table.js';

/** What people are in which tenant. */
export const MEMBER_COMMANDS: Readonly<Record<string, Command>> = {
  'member list': {
    usage: 'member list SLUG',
    meaning: 'list the members of the tenant and their roles',
    words: [1, 1],
    run: async (context, { positionals: [slug] }) => {
      const members = await context.accounts.membersOf((await tenantOf(context, slug)).id);
      const rows = members.map(({ role, account }) => [
        labelOf(account),
        role,
        account.name,
        account.status,
        account.id,
      ]);
      return table(['e-mail', 'role', 'name', 'status', 'id'], rows);
    },
  },
  'member set': {
    usage: 'member set SLUG EMAIL [--role ROLE]',
    meaning: 'make the account a member of the tenant, or change its role; the role is "member" unless you say another',
    options: { role: { type: 'string' } },
    words: [2, 2],
    run: async (context, { positionals: [slug, email], text }) => {
      const { id, slug: name, accessPolicy } = await tenantOf(context, slug);
      const role = text('role') ?? 'member';
      if (!Object.hasOwn(accessPolicy.roles, role)) {
        const roles = Object.keys(accessPolicy.roles).sort().join(', ');
        throw new ManageError(`The tenant has no role "${role}". It has: ${roles}.`);
      }
      const account = await accountOf(context, email);
      try {
        await context.accounts.setMembership(id, account.id, role);
      } catch (error) {
        if (!(error instanceof UnknownAccountError)) throw error;
        throw new ManageError(`${labelOf(account)} is an account of another tenant's own sign-in.`);
      }
      return `${labelOf(account)} is now ${role} of ${name}.`;
    },
  },
  'member remove': {
    usage: 'member remove SLUG EMAIL',
    meaning: 'end the membership and the tokens that it allowed',
    words: [2, 2],
    run: async (context, { positionals: [slug, email] }) => {
      const { id, slug: name } = await tenantOf(context, slug);
      const account = await accountOf(context, email);
      const isMember = (await context.accounts.roleIn(id, account.id)) !== undefined;
      const ended = await context.accounts.removeMembership(id, account.id);
      if (!isMember) throw new ManageError(`${labelOf(account)} was no member of ${name}: ${grantsEnded(ended)}.`);
      return `${labelOf(account)} is no longer a member of ${name}: ${grantsEnded(ended)}.`;
    },
  },
};
