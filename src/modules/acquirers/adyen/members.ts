export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function parseMembers(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? value : null
  } catch {
    return null
  }
}

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
