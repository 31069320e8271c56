import { isMembers, type Members } from '../port/members.ts'

export function textOf(members: Members, name: string): string {
  const value = members[name]
  return typeof value === 'string' ? value : ''
}

export function membersOf(members: Members, name: string): Members {
  const value = members[name]
  return isMembers(value) ? value : {}
}

export function listOf(members: Members, name: string): readonly Members[] {
  const value = members[name]
  return Array.isArray(value) ? value.filter(isMembers) : []
}
