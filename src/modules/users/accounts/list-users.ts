import type { SharedStatements } from '#platform/postgres/database'
import { type BusinessMembership, membershipsOf } from '../storage/membership.repository.ts'
import { type User, usersAfter } from '../storage/user.repository.ts'

const PAGE = 500

export interface ListedUser extends User {
  readonly memberships: readonly BusinessMembership[]
}

export async function listUsers(shared: SharedStatements): Promise<ListedUser[]> {
  const listed: ListedUser[] = []
  for (let afterId = ''; ;) {
    const page = await usersAfter(shared, afterId, PAGE)
    for (const user of page) listed.push({ ...user, memberships: await membershipsOf(shared, user.id) })
    if (page.length < PAGE) return listed
    afterId = page.at(-1)?.id ?? ''
  }
}
