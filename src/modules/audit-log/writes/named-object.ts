type Members = Readonly<Record<string, unknown>>

export function namedId(value: unknown, type: string): string | undefined {
  if (!isMembers(value)) return undefined
  const own = value[type.replace(/s$/, '')]
  return (
    idOf(own) ??
    Object.values(value)
      .map(idOf)
      .find((id) => id !== undefined)
  )
}

function idOf(value: unknown): string | undefined {
  if (!isMembers(value)) return undefined
  const id =
    value['id'] ?? value['uuid'] ?? value['number'] ?? value['reference_number'] ?? value['reference_id']
  return typeof id === 'string' ? id : undefined
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
