/** An invalid request to a control route, which gets 400. */
export class ControlError extends Error {}

type Members = Readonly<Record<string, unknown>>

export function readObject(text: string, members: readonly string[]): Members {
  let value: unknown
  try {
    value = JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw new ControlError('The body must be JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlError('The body must be a JSON object')
  }
  const unknown = Object.keys(value).find((name) => !members.includes(name))
  if (unknown !== undefined) throw new ControlError(`${unknown} is unknown; known are ${members.join(', ')}`)
  return value as Members
}

export function readChance(body: Members, name: string): number {
  const value = body[name]
  if (value === undefined) return 0
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  throw new ControlError(`${name} must be a number from 0 to 1`)
}

export function readWhole(body: Members, name: string, max: number): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value
  throw new ControlError(`${name} must be a whole number from 0 to ${max}`)
}

export function readText(body: Members, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw new ControlError(`${name} must be a string`)
}
