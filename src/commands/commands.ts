import { type Command, Option } from 'commander'
import type { NamedTenant } from '#modules/businesses'
import type { Role } from '#modules/users'
import type { Environment } from '#platform/caller'
import type { NewKey } from './key-commands.ts'
import type { RunCommand } from './operator-command.ts'
import type { NewUser } from './user-commands.ts'

/**
 * Defines the operator's commands (reference/operations#command-line). What a command does is imported when it runs, so that
 * help, the version and errors in options need no modules.
 */
export function addOperatorCommands(
  program: Command,
  run: RunCommand,
  askPassword: () => Promise<string | undefined>,
): void {
  addBusinessCommands(program, run)
  addKeyCommands(program, run)
  addUserCommands(program, run, askPassword)
  withJson(program.command('migrate'))
    .description('run all pending migrations')
    .action((_options: object, command: Command) =>
      run(command, async () => (await import('./lists.ts')).listMigrations),
    )
  withJson(program.command('verify'))
    .description('check every rule over the whole database; exits with 1 if any is broken')
    .action((_options: object, command: Command) =>
      run(command, async () => (await import('./verify-command.ts')).verify),
    )
  withJson(program.command('erase-again'))
    .description('after a recovery: erase the personal data of customers whom the backup brought back')
    .requiredOption('--business <customer code>', 'the customer_code of the business')
    .addOption(environmentOption())
    .argument('<customer uuid...>')
    .action((uuids: string[], options: { business: string; env: Environment }, command: Command) =>
      run(command, async () => {
        const { eraseCustomersAgain } = await import('./erase-again-command.ts')
        return eraseCustomersAgain({ code: options.business, environment: options.env }, uuids)
      }),
    )
  withJson(program.command('recovered'))
    .description(
      'after the database came back from a backup: guard numbers, inquire, and list what acquirers booked since',
    )
    .requiredOption('--since <time>', 'RFC 3339 time that the recovered database ends at')
    .action((options: { since: string }, command: Command) =>
      run(command, async () => (await import('./recovered-command.ts')).recovered(options)),
    )
}

function addBusinessCommands(program: Command, run: RunCommand): void {
  const actions = () => import('./business-commands.ts')
  const businesses = program
    .command('businesses')
    .description('manage businesses; each has a test and a live environment')
  withJson(businesses.command('create'))
    .description('create a business with an app and an API key for its test environment')
    .requiredOption('--name <name>', 'name of the business')
    .option('--time-zone <zone>', 'IANA time zone (default: Asia/Hong_Kong)')
    .option('--currency <code>', 'ISO 4217 currency (default: HKD)')
    .action((options: { name: string; timeZone?: string; currency?: string }, command: Command) =>
      run(command, async () => (await actions()).createBusiness(options)),
    )
  withJson(businesses.command('list'))
    .description('list all businesses with the ids of their environments')
    .action((_options: object, command: Command) =>
      run(command, async () => (await import('./lists.ts')).listBusinesses),
    )
  withTenant(businesses.command('show-webhook-secret'))
    .description('show the secret that signs deliveries to notify_url and callback_url')
    .action((options: TenantOptions, command: Command) =>
      run(command, async () => (await actions()).showWebhookSecret(tenantIn(options))),
    )
  withTenant(businesses.command('rotate-webhook-secret'))
    .description('create a new secret; the previous one keeps signing for 24 hours')
    .action((options: TenantOptions, command: Command) =>
      run(command, async () => (await actions()).rotateWebhookSecret(tenantIn(options))),
    )
}

function addKeyCommands(program: Command, run: RunCommand): void {
  const actions = () => import('./key-commands.ts')
  const keys = program.command('keys').description('manage API keys, signing keys and encryption keys')
  withJson(keys.command('create'))
    .description('create an API key; it is shown only once')
    .requiredOption('--app <app id>', 'id of the app')
    .addOption(environmentOption())
    .requiredOption(
      '--scope <scopes>',
      'such as payments:read; several separated by commas or by repeating --scope, or all',
      (scopes: string, before?: string) => (before === undefined ? scopes : `${before},${scopes}`),
    )
    .option('--expires-in <duration>', 'ISO 8601 duration, such as P90D (default: never expires)')
    .option('--name <name>', 'what people know the key by')
    .action((options: NewKey, command: Command) =>
      run(command, async () => (await actions()).createKey(options)),
    )
  withJson(keys.command('list'))
    .description('list all API keys, oldest first, without the keys themselves')
    .action((_options: object, command: Command) =>
      run(command, async () => (await import('./lists.ts')).listKeys),
    )
  withJson(keys.command('revoke'))
    .description('revoke an API key; it is refused everywhere once the command ends')
    .argument('<key id>')
    .action((keyId: string, _options: object, command: Command) =>
      run(command, async () => (await actions()).revokeKey(keyId)),
    )
  withJson(keys.command('remove-signing-key'))
    .description('remove the signing key of an app that has lost its private key')
    .requiredOption('--app <app id>', 'id of the app')
    .addOption(environmentOption())
    .action((options: { app: string; env: Environment }, command: Command) =>
      run(command, async () =>
        (await actions()).removeSigningKey({ appId: options.app, environment: options.env }),
      ),
    )
  withJson(keys.command('rotate-encryption'))
    .description('re-encrypt everything with the newest key; can be repeated after an interruption')
    .action((_options: object, command: Command) =>
      run(command, async () => (await import('./rotate-encryption-command.ts')).rotateEncryption),
    )
}

/** An object, so that the compiler misses no role. Importing the list would load the module for every command. */
const ROLES = Object.keys({
  owner: true,
  developer: true,
  finance: true,
  support: true,
  read_only: true,
} satisfies Record<Role, true>)

function addUserCommands(
  program: Command,
  run: RunCommand,
  askPassword: () => Promise<string | undefined>,
): void {
  const actions = () => import('./user-commands.ts')
  const users = program.command('users').description('manage the people who sign in to the console')
  withJson(users.command('create'))
    .description('create a user; asks for the password on a terminal, otherwise prints a one-time link')
    .requiredOption('--email <address>', 'the e-mail address, with which the user signs in')
    .option('--name <name>', 'the name of the user')
    .option('--operator', 'may create businesses, and do everything in each of them')
    .option('--business <customer code>', 'the customer_code of a business that the user becomes a member of')
    .addOption(new Option('--role <role>', 'the role there, in test and live').choices(ROLES))
    .action((options: NewUser, command: Command) =>
      run(command, async () => (await actions()).createUser(options, askPassword)),
    )
  withJson(users.command('list'))
    .description('list all users and their roles')
    .action((_options: object, command: Command) => run(command, async () => (await actions()).listUsers))
  withJson(users.command('disable'))
    .description('disable a user; all sessions have ended once the command ends')
    .requiredOption('--email <address>', 'the e-mail address of the user')
    .action(({ email }: { email: string }, command: Command) =>
      run(command, async () => (await actions()).disableUser(email)),
    )
  withJson(users.command('reset-password'))
    .description('print a link that sets a new password; it works once, for 24 hours')
    .requiredOption('--email <address>', 'the e-mail address of the user')
    .action(({ email }: { email: string }, command: Command) =>
      run(command, async () => (await actions()).resetPassword(email)),
    )
}

interface TenantOptions {
  readonly code: string
  readonly env: Environment
}

function withTenant(command: Command): Command {
  return withJson(command)
    .requiredOption('--code <customer code>', 'the customer_code of the business')
    .addOption(environmentOption())
}

function tenantIn({ code, env }: TenantOptions): NamedTenant {
  return { code, environment: env }
}

function environmentOption(): Option {
  return new Option('--env <environment>', 'the environment').choices(['test', 'live']).makeOptionMandatory()
}

function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON object')
}
