import { newId } from '#kernel/ids'
import { CommandError } from '#modules/businesses'
import type { SharedStatements } from '#platform/postgres/database'
import { violates } from '#platform/postgres/database-errors'
import type { UsersDependencies } from '../dependencies.ts'
import type { Role } from '../model/roles.ts'
import {
  hashPassword,
  isPasswordLength,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '../sign-in/password.ts'
import { businessName, newestBusinesses, putMembership } from '../storage/membership.repository.ts'
import { insertUser } from '../storage/user.repository.ts'

const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/
/** RFC 5321, section 4.5.3.1: a path has at most 256 characters, two of them angle brackets. */
export const MAX_EMAIL_LENGTH = 254
const MAX_NAMED = 10

export interface UserRequest {
  readonly email: string
  readonly name?: string | undefined
  readonly operator: boolean
  readonly business?: { readonly code: string; readonly role: Role } | undefined
  readonly password?: string | undefined
}

export async function createUser({ db }: UsersDependencies, user: UserRequest): Promise<string> {
  const email = user.email.trim().toLowerCase()
  if (!isEmail(email)) throw new CommandError(`${user.email} is not an e-mail address.`)
  if (user.password !== undefined && !isPasswordLength(user.password)) {
    throw new CommandError(
      `The password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    )
  }
  const { business } = user
  if (business !== undefined && (await businessName(db.shared, business.code)) === undefined) {
    throw new CommandError(
      `No business has the customer code ${business.code}. The codes are: ${await businessesText(db.shared)}.`,
    )
  }
  const id = newId('usr')
  const created = {
    id,
    email,
    name: user.name?.trim() || nameFrom(email),
    emailVerified: true,
    operator: user.operator,
    locale: 'en',
    passwordHash: user.password === undefined ? undefined : await hashPassword(user.password),
  }
  try {
    await insertUser(db.shared, created, newId('uac'))
  } catch (error) {
    if (violates(error, 'users_email_key'))
      throw new CommandError(`A user with the address ${email} exists already.`)
    throw error
  }
  if (business !== undefined) {
    const roles = { test: business.role, live: business.role }
    await putMembership(db.shared, { businessCode: business.code, userId: id, roles })
  }
  return id
}

export async function businessesText(shared: SharedStatements): Promise<string> {
  const found = await newestBusinesses(shared, MAX_NAMED + 1)
  const named = found.slice(0, MAX_NAMED).map(({ code, name }) => `${code} (${name})`)
  return [...named, ...(found.length > MAX_NAMED ? ['…'] : [])].join(', ') || 'none yet'
}

export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text)
}

function nameFrom(email: string): string {
  return email.slice(0, email.indexOf('@'))
}
