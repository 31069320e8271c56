import { errors } from '../errors.ts'
import type { Member, Roles } from '../storage/membership.repository.ts'

export function requireOtherOwner(members: readonly Member[], member: Member, after: Roles): void {
  const others = members.filter(({ userId, disabledAt }) => userId !== member.userId && disabledAt === null)
  const isOwned = {
    test: others.some(({ testRole }) => testRole === 'owner'),
    live: others.some(({ liveRole }) => liveRole === 'owner'),
  }
  if (member.testRole === 'owner' && after.test !== 'owner' && !isOwned.test) throw lastOwner('test')
  if (member.liveRole === 'owner' && after.live !== 'owner' && !isOwned.live) throw lastOwner('live')
}

function lastOwner(environment: 'test' | 'live') {
  return errors.last_owner({
    param: `${environment}_role`,
    message: `This member is the last owner in ${environment}, and the business must keep one.`,
  })
}
