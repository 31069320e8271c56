import { type Command, Option } from 'commander'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { operatorLog, recordAudit } from '#modules/audit-log'
import { CommandError } from '#modules/businesses'
import { type RecordAccess, ROLES, type Role, Users } from '#modules/users'
import { createLog } from '#platform/observability/log'
import type { Config } from '#platform/config'
import type { CommandContext, CommandResult } from './operator-command.ts'
import { askPassword } from './ask-password.ts'

interface JsonOption {
  readonly json?: boolean
}

export interface CommandRunner {
  readonly withJson: (command: Command) => Command
  readonly run: (
    options: JsonOption,
    command: (context: CommandContext) => Promise<CommandResult>,
  ) => Promise<void>
  readonly baseUrlOf: (config: Config) => Promise<string>
}

interface CreateOptions extends JsonOption {
  readonly email: string
  readonly name?: string
  readonly operator?: boolean
  readonly business?: string
  readonly role?: Role
}

export function addUserCommands(program: Command, { withJson, run, baseUrlOf }: CommandRunner): void {
  const users = program.command('users').description('manage the people who sign in to the console')
  const usersOf = async ({ db, keyring, businesses, config }: CommandContext): Promise<Users> => {
    const publicUrl = await baseUrlOf(config)
    const log = createLog({ level: 'error' })
    const none = { oidc: undefined, mailer: undefined }
    const recordAccess: RecordAccess = ({ outcome, ...action }) => recordAudit(db, action, outcome)
    return new Users({
      db,
      keyring,
      businesses,
      publicUrl: () => publicUrl,
      log,
      recordAccess,
      operatorLog: operatorLog(db),
      ...none,
    })
  }

  withJson(users.command('create'))
    .description('create a user; asks for the password on a terminal, otherwise prints a one-time link')
    .requiredOption('--email <address>', 'the e-mail address, with which the user signs in')
    .option('--name <name>', 'the name of the user')
    .option('--operator', 'may create businesses, and do everything in each of them')
    .option('--business <customer code>', 'the customer_code of a business that the user becomes a member of')
    .addOption(new Option('--role <role>', 'the role there, in test and live').choices([...ROLES]))
    .action(async (options: CreateOptions) => {
      const business = businessOf(options)
      const password = process.stdin.isTTY ? await askPassword() : undefined
      await run(options, async (context) => {
        const managed = await usersOf(context)
        const { email, name, operator = false } = options
        const id = await managed.create({ email, name, operator, business, password })
        const created = { user_id: id, email: email.trim().toLowerCase() }
        const next = operator || business !== undefined ? {} : { warning: await withoutBusiness(managed) }
        if (password !== undefined) return { json: created, text: `${created.email} can sign in.`, ...next }
        const link = await managed.passwordLink(email)
        return { json: { ...created, link }, text: `Choose a password within 24 hours: ${link}`, ...next }
      })
    })
  withJson(users.command('list'))
    .description('list all users and their roles')
    .action((options: JsonOption) => run(options, async (context) => listUsers(await usersOf(context))))
  withJson(users.command('disable'))
    .description('disable a user; all sessions have ended once the command ends')
    .requiredOption('--email <address>', 'the e-mail address of the user')
    .action((options: JsonOption & { email: string }) =>
      run(options, async (context) => {
        const { id, lastOwnerOf } = await (await usersOf(context)).disable(options.email)
        const warning =
          lastOwnerOf.length === 0 ? {} : { warning: `Nobody else owns ${lastOwnerOf.join(', ')}.` }
        return { json: { user_id: id, disabled: true }, text: `${options.email} is disabled.`, ...warning }
      }),
    )
  withJson(users.command('reset-password'))
    .description('print a link that sets a new password; it works once, for 24 hours')
    .requiredOption('--email <address>', 'the e-mail address of the user')
    .action((options: JsonOption & { email: string }) =>
      run(options, async (context) => {
        const link = await (await usersOf(context)).passwordLink(options.email)
        return { json: { email: options.email, link }, text: link }
      }),
    )
}

async function withoutBusiness(users: Users): Promise<string> {
  return `The user is not a member of any business yet: a member can invite the address on the page People of the console. With --business and --role, \`users create\` makes a member at once; the codes are: ${await users.businessesText()}.`
}

function businessOf({ business, role }: CreateOptions): { code: string; role: Role } | undefined {
  if (business === undefined && role === undefined) return undefined
  if (business === undefined) throw new CommandError('--role also needs --business.')
  return { code: business, role: role ?? 'owner' }
}

async function listUsers(users: Users): Promise<CommandResult> {
  const found = await users.list()
  const json = {
    users: found.map((user) => ({
      user_id: user.id,
      email: user.email,
      name: user.name,
      operator: user.operator,
      two_factor_enabled: user.twoFactorEnabled,
      created_at: toRfc3339(user.createdAt),
      disabled_at: rfc3339OrNull(user.disabledAt),
      memberships: user.memberships.map(({ code, name, testRole, liveRole }) => ({
        customer_code: code,
        business_name: name,
        test_role: testRole,
        live_role: liveRole,
      })),
    })),
  }
  const lines = json.users.map((user) => {
    const roles = user.memberships.map(
      ({ business_name, test_role, live_role }) =>
        `${business_name}: test ${test_role ?? 'none'}, live ${live_role ?? 'none'}`,
    )
    const marks = [user.operator ? 'operator' : '', user.disabled_at === null ? '' : 'disabled']
    return [user.email, ...marks.filter((mark) => mark !== ''), ...roles].join('  ')
  })
  return { json, text: lines.length === 0 ? 'No users.' : lines.join('\n') }
}
