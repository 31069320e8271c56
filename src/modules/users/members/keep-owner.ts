import type { Refused } from '#kernel/refusal'
import type { Member, Roles } from '../storage/membership.repository.ts'

export function refuseLastOwner(
  members: readonly Member[],
  member: Member,
  after: Roles,
): Refused<'last_owner'> | null {
  const others = members.filter(({ userId, disabledAt }) => userId !== member.userId && disabledAt === null)
  const isOwned = {
    test: others.some(({ testRole }) => testRole === 'owner'),
    live: others.some(({ liveRole }) => liveRole === 'owner'),
  }
  if (member.testRole === 'owner' && after.test !== 'owner' && !isOwned.test) return lastOwner('test')
  if (member.liveRole === 'owner' && after.live !== 'owner' && !isOwned.live) return lastOwner('live')
  return null
}

function lastOwner(environment: 'test' | 'live'): Refused<'last_owner'> {
  return {
    refused: 'last_owner',
    param: `${environment}_role`,
    message: `This member is the last owner in ${environment}, and the business must keep one.`,
  }
}
