import { randomBytes } from 'node:crypto'
import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { UsersDependencies } from '../dependencies.ts'
import { hashOfToken } from '../model/token.ts'
import { allBusinesses, putMembership } from '../storage/membership.repository.ts'
import { insertFirstUser, insertSetupLink, type NewUser } from '../storage/setup.repository.ts'
import { usersExist } from '../storage/user.repository.ts'

const VALID = { hours: 24 }
const TOKEN_BYTES = 32

export async function setupLink({ db, publicUrl }: UsersDependencies): Promise<string | undefined> {
  if (await usersExist(db.shared)) return undefined
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = realClock.now()
  await insertSetupLink(db.shared, hashOfToken(token), now, now.add(VALID))
  return `${publicUrl()}/console/setup?token=${token}`
}

export async function setUp(
  { db }: UsersDependencies,
  token: string,
  user: Omit<NewUser, 'id' | 'operator' | 'emailVerified'>,
): Promise<string | undefined> {
  const id = newId('usr')
  const first: NewUser = { ...user, id, operator: true, emailVerified: true }
  if (!(await insertFirstUser(db.shared, hashOfToken(token), first, newId('uac')))) return undefined
  const businesses = await allBusinesses(db.shared, id)
  const [only, ...others] = businesses
  if (only !== undefined && others.length === 0) {
    const roles = { test: 'owner', live: 'owner' } as const
    await putMembership(db.shared, { businessCode: only.code, userId: id, roles })
  }
  return id
}
