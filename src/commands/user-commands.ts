import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { auditLogModule, recordAudit } from '#modules/audit-log'
import { CommandError } from '#modules/businesses'
import { type RecordAccess, type Role, type Users, usersModule } from '#modules/users'
import { createLog } from '#platform/observability/log'
import { baseUrlOf } from './base-url.ts'
import type { CommandContext, CommandResult, OperatorCommand } from './operator-command.ts'

export interface NewUser {
  readonly email: string
  readonly name?: string
  readonly operator?: boolean
  readonly business?: string
  readonly role?: Role
}

async function usersOf({ db, keyring, businesses, config, terminal }: CommandContext): Promise<Users> {
  const publicUrl = await baseUrlOf(config)
  const recordAccess: RecordAccess = ({ outcome, ...action }) => recordAudit(db, action, outcome)
  const log = createLog({ level: 'error', destination: terminal.stdout })
  const { operatorLog } = auditLogModule.connect({ db, businesses, log })
  const { users } = usersModule.connect({
    db,
    keyring,
    businesses,
    publicUrl: () => publicUrl,
    log,
    recordAccess,
    operatorLog,
    oidc: undefined,
    mailer: undefined,
  })
  return users
}

export async function createUser(
  options: NewUser,
  askPassword: () => Promise<string | undefined>,
): Promise<OperatorCommand> {
  const business = businessOf(options)
  const password = await askPassword()
  return async (context) => {
    const users = await usersOf(context)
    const { email, name, operator = false } = options
    const id = await users.create({ email, name, operator, business, password })
    const created = { user_id: id, email: email.trim().toLowerCase() }
    const next = operator || business !== undefined ? {} : { warning: await withoutBusiness(users) }
    if (password !== undefined) return { json: created, text: `${created.email} can sign in.`, ...next }
    const link = await users.passwordLink(email)
    return { json: { ...created, link }, text: `Choose a password within 24 hours: ${link}`, ...next }
  }
}

export function disableUser(email: string): OperatorCommand {
  return async (context) => {
    const users = await usersOf(context)
    const { id, lastOwnerOf } = await users.disable(email)
    const warning = lastOwnerOf.length === 0 ? {} : { warning: `Nobody else owns ${lastOwnerOf.join(', ')}.` }
    return { json: { user_id: id, disabled: true }, text: `${email} is disabled.`, ...warning }
  }
}

export function resetPassword(email: string): OperatorCommand {
  return async (context) => {
    const users = await usersOf(context)
    const link = await users.passwordLink(email)
    return { json: { email, link }, text: link }
  }
}

async function withoutBusiness(users: Users): Promise<string> {
  return `The user is not a member of any business yet: a member can invite the address on the page People of the console. With --business and --role, \`users create\` makes a member at once; the codes are: ${await users.businessesText()}.`
}

function businessOf({ business, role }: NewUser): { code: string; role: Role } | undefined {
  if (business === undefined && role === undefined) return undefined
  if (business === undefined) throw new CommandError('--role also needs --business.')
  return { code: business, role: role ?? 'owner' }
}

export async function listUsers(context: CommandContext): Promise<CommandResult> {
  const users = await usersOf(context)
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
