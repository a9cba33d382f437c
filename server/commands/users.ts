import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import type { Prisma } from '../../prisma/client.ts';
import { routeKey } from '../../schema/kernel/names.ts';
import { privateTokenRow } from '../../schema/kernel/private-token.ts';
import { createToken } from '../../schema/tokens/create.ts';
import { disableTwoFactor } from '../../schema/two-factors/change.ts';
import { emailKey } from '../../schema/users/addresses.ts';
import { createUser } from '../../schema/users/create.ts';
import { blockUser, unblockUser } from '../../schema/users/states.ts';
import { updateUser } from '../../schema/users/update.ts';
import { day, positiveNumber, readSecretLine } from './input.ts';
import type { Operator, RunCommand } from './operator.ts';
import { type OutputOptions, type PrintedRecord, printList, printRecord } from './output.ts';

const columns = {
  id: true,
  username: true,
  name: true,
  email: true,
  state: true,
  isAdmin: true,
  isTwoFactorEnabled: true,
  lastSignInAt: true,
} as const satisfies Prisma.UserSelect;

type UserRow = Prisma.UserGetPayload<{ select: typeof columns }>;

const userRecord = (user: UserRow): PrintedRecord => ({
  id: user.id,
  username: user.username,
  name: user.name,
  email: user.email,
  state: user.state,
  admin: user.isAdmin,
  two_factor: user.isTwoFactorEnabled,
  last_sign_in: user.lastSignInAt?.toISOString() ?? null,
});

/** A user by username or verified e-mail address. */
async function findUser(name: string, { db }: Operator): Promise<UserRow> {
  // an address that a user chose may be that of another person
  const where = name.includes('@')
    ? { emailKey: emailKey(name), emailVerifiedAt: { not: null } }
    : { usernameKey: routeKey(name) };
  const user = await db.user.findFirst({ where, select: columns });
  if (!user) throw new Error(`There is no user ${name}.`);
  return user;
}

const userArgument = ['<user>', 'username or verified e-mail address'] as const;

/** The password of an option, or a random one that is printed. */
const passwordOf = async ({ stdin }: { readonly stdin?: boolean }) =>
  stdin
    ? { password: await readSecretLine() }
    : { generated: randomBytes(12).toString('base64url') };

interface ListOptions extends OutputOptions {
  readonly search?: string;
  readonly admins?: boolean;
  readonly blocked?: boolean;
  readonly limit: number;
}

async function listUsers(
  { search, admins, blocked, limit, ...output }: ListOptions,
  { db }: Operator,
) {
  const contains =
    search === undefined ? undefined : { contains: search, mode: 'insensitive' as const };
  const users = await db.user.findMany({
    where: {
      ...(contains && { OR: [{ username: contains }, { name: contains }, { email: contains }] }),
      ...(admins && { isAdmin: true }),
      ...(blocked && { state: { not: 'active' } }),
    },
    select: columns,
    orderBy: { id: 'asc' },
    take: limit,
  });
  printList(users.map(userRecord), output);
}

/** `millrace user …`. */
export function userCommands(run: RunCommand): Command {
  const group = new Command('user');

  group
    .command('list')
    .description('List users')
    .option('--search <text>', 'only users with this text in username, name or e-mail address')
    .option('--admins', 'only administrators')
    .option('--blocked', 'only blocked users')
    .option('--limit <number>', 'at most so many', positiveNumber, 100)
    .action((options: ListOptions) => run((operator) => listUsers(options, operator)));

  group
    .command('show')
    .description('Show a user')
    .argument(...userArgument)
    .action((name: string, options: OutputOptions) =>
      run(async (operator) => printRecord(userRecord(await findUser(name, operator)), options)),
    );

  group
    .command('create')
    .description('Create a user; prints a random password unless --stdin is given')
    .argument('<username>')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--name <name>', 'full name; the username by default')
    .option('--admin', 'an administrator')
    .option('--stdin', 'read the password from standard input')
    .action((username: string, { email, name, admin, ...options }) =>
      run(async (operator) => {
        // the first start creates `root` only in a database without users
        if ((await operator.db.user.count({ take: 1 })) === 0) {
          throw new Error('Start the server first: it creates the administrator root.');
        }
        const { password, generated } = await passwordOf(options);
        const user = {
          username,
          email,
          name: name ?? username,
          isAdmin: admin === true,
          isEmailVerified: true,
          isPasswordGiven: true,
          password: password ?? generated ?? '',
        };
        await createUser(operator, user, privateTokenRow(operator.secrets));
        const record = userRecord(await findUser(username, operator));
        printRecord({ ...record, ...(generated && { password: generated }) }, options);
      }),
    );

  group
    .command('set-password')
    .description('Set a password and end all sessions; prints a random one unless --stdin is given')
    .argument(...userArgument)
    .option('--stdin', 'read the password from standard input')
    .action((name: string, options) =>
      run(async (operator) => {
        const { id, username } = await findUser(name, operator);
        const { password, generated } = await passwordOf(options);
        await updateUser(id, { password: password ?? generated ?? '' }, operator, undefined);
        printRecord({ username, ...(generated && { password: generated }) }, options);
      }),
    );

  group
    .command('set-admin')
    .description('Make a user an administrator')
    .argument(...userArgument)
    .option('--remove', 'make an administrator a usual user again')
    .action((name: string, { remove, ...options }) =>
      run(async (operator) => {
        const { id } = await findUser(name, operator);
        await updateUser(id, { isAdmin: remove !== true }, operator, undefined);
        printRecord(userRecord(await findUser(name, operator)), options);
      }),
    );

  const changes = {
    block: ['Block a user and end all sessions', blockUser],
    unblock: ['Unblock a user', unblockUser],
    'verify-email': [
      'Record that the primary e-mail address is that of the user',
      (id: number, operator: Operator) =>
        updateUser(id, { isEmailVerified: true }, operator, undefined),
    ],
    'disable-two-factor': [
      'Remove the second factor of a user who lost it, and end all sessions',
      (id: number, operator: Operator) => disableTwoFactor(id, null, operator),
    ],
  } as const;
  for (const [command, [description, change]] of Object.entries(changes)) {
    group
      .command(command)
      .description(description)
      .argument(...userArgument)
      .action((name: string, options: OutputOptions) =>
        run(async (operator) => {
          const { id } = await findUser(name, operator);
          await change(id, operator);
          printRecord(userRecord(await findUser(name, operator)), options);
        }),
      );
  }

  group
    .command('token')
    .description('Create a personal access token and print it')
    .argument(...userArgument)
    .option('--name <name>', 'name of the token', 'millrace user token')
    .option('--scopes <scopes...>', 'scopes of the token', ['api'])
    .option(
      '--expires-at <day>',
      'first day on which it is invalid; it never expires by default',
      day,
    )
    .action((user: string, { name, scopes, expiresAt = null, ...options }) =>
      run(async (operator) => {
        const { id: userId, username } = await findUser(user, operator);
        const owner = { userId, kind: 'personal' } as const;
        const { token } = await createToken(owner, { name, scopes, expiresAt }, operator);
        printRecord({ username, name, scopes, token }, options);
      }),
    );

  return group;
}
