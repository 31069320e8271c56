import { randomBytes } from 'node:crypto'
import { realNowMs } from '#kernel/clock'
import { CommandError } from '#modules/businesses'
import type { UsersDependencies } from '../dependencies.ts'
import { toDate } from '../model/dates.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { findUserByEmail } from '../storage/user.repository.ts'

/** The time of reference/users#passwords. */
const LINK_MS = 24 * 3_600_000
const TOKEN_BYTES = 24

export async function passwordLink(deps: UsersDependencies, signIn: SignIn, email: string): Promise<string> {
  const user = await findUserByEmail(deps.db.shared, email.trim())
  if (user === undefined) throw new CommandError(`No user has the address ${email}.`)
  const auth = await signIn.at(deps.publicUrl())
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const { internalAdapter } = await auth.$context
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: user.id,
    expiresAt: toDate(realNowMs() + LINK_MS),
  })
  return `${deps.publicUrl()}/console/reset-password?token=${token}`
}
