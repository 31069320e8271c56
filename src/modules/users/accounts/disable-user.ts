import { CommandError, untilCachesExpire } from '#modules/businesses'
import type { UsersDependencies } from '../dependencies.ts'
import { deleteInvitationsBy } from '../storage/invitation.repository.ts'
import { soleOwnerOf } from '../storage/membership.repository.ts'
import { deleteSessions } from '../storage/session.repository.ts'
import { disableUserByEmail } from '../storage/user.repository.ts'

export interface DisabledUser {
  readonly id: string
  readonly lastOwnerOf: readonly string[]
}

export async function disableUser({ db }: UsersDependencies, email: string): Promise<DisabledUser> {
  const id = await disableUserByEmail(db.shared, email.trim().toLowerCase())
  if (id === undefined) throw new CommandError(`No user has the address ${email}.`)
  await deleteSessions(db.shared, id, '')
  await deleteInvitationsBy(db.shared, id)
  const lastOwnerOf = await soleOwnerOf(db.shared, id)
  await untilCachesExpire()
  return { id, lastOwnerOf }
}
