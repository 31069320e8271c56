import { invalidRequest } from './errors.ts'

/** A decoded form: `a[b]=c` is `{a: {b: 'c'}}`; lists (`a[]=x`, `a[0]=x`) are objects with numeric names. */
export interface Form {
  readonly [name: string]: FormValue
}
type FormValue = string | Form

type Draft = { [name: string]: string | Draft }

const MAX_DEPTH = 8

export function parseForm(encoded: string): Form {
  const form: Draft = {}
  for (const [name, value] of new URLSearchParams(encoded)) assign(form, name, value)
  return form
}

function assign(form: Draft, name: string, value: string): void {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (match === null) throw invalidRequest(`Invalid parameter name: ${name}`)
  const [, first = '', brackets = ''] = match
  const path = [first, ...Array.from(brackets.matchAll(/\[([^[\]]*)\]/g), ([, inner = '']) => inner)]
  if (path.length > MAX_DEPTH || path.some((part) => part === '__proto__')) {
    throw invalidRequest(`Invalid parameter name: ${name}`)
  }
  let target = form
  for (const [depth, part] of path.entries()) {
    const member = part === '' ? String(Object.keys(target).length) : part
    if (depth === path.length - 1) {
      target[member] = value
      return
    }
    const next = target[member]
    if (typeof next === 'object') target = next
    else target = target[member] = {}
  }
}

/** Independent of the order of members, to compare requests with the same idempotency key. */
export function canonicalForm(form: Form): string {
  const sorted = (value: FormValue): unknown =>
    typeof value === 'string'
      ? value
      : Object.fromEntries(
          Object.keys(value)
            .toSorted()
            .map((name) => [name, sorted(value[name] ?? '')]),
        )
  return JSON.stringify(sorted(form))
}

export function text(form: Form, name: string): string | undefined {
  const value = form[name]
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') return value
  throw invalidRequest(`Invalid string: ${JSON.stringify(value)}`, { param: name })
}

export function required(form: Form, name: string): string {
  const value = text(form, name)
  if (value !== undefined) return value
  throw invalidRequest(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
}

export function whole(form: Form, name: string): number | undefined {
  const value = text(form, name)
  if (value === undefined) return undefined
  if (/^-?\d{1,15}$/.test(value)) return Number(value)
  throw invalidRequest(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name })
}

export function flag(form: Form, name: string): boolean | undefined {
  const value = text(form, name)
  if (value === undefined) return undefined
  if (value === 'true' || value === 'false') return value === 'true'
  throw invalidRequest(`Invalid boolean: ${value}`, { param: name })
}

export function oneOf<const T extends string>(form: Form, name: string, values: readonly T[]): T | undefined {
  const value = text(form, name)
  if (value === undefined) return undefined
  const found = values.find((each) => each === value)
  if (found !== undefined) return found
  throw invalidRequest(`Invalid ${name}: must be one of ${values.join(', ')}`, { param: name })
}

export function nested(form: Form, name: string): Form | undefined {
  const value = form[name]
  if (value === undefined || value === '') return undefined
  if (typeof value === 'object') return value
  throw invalidRequest(`Invalid object`, { param: name })
}

export function list(form: Form, name: string): string[] {
  const value = form[name]
  if (value === undefined || value === '') return []
  if (typeof value === 'string') return [value]
  return Object.values(value).filter((each) => typeof each === 'string')
}

/** Merges as Stripe does: an empty value removes its member, an empty `metadata` removes all. */
export function mergeMetadata(
  existing: Readonly<Record<string, string>>,
  form: Form,
): Record<string, string> {
  const given = form.metadata
  if (given === undefined) return { ...existing }
  if (given === '') return {}
  if (typeof given === 'string') throw invalidRequest('Invalid object', { param: 'metadata' })
  const merged = { ...existing, ...(given as Record<string, string>) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
}

/** Stripe refuses parameters that it does not know. */
export function refuseUnknown(form: Form, known: readonly string[]): void {
  const unknown = Object.keys(form).find((name) => name !== 'expand' && !known.includes(name))
  if (unknown === undefined) return
  throw invalidRequest(`Received unknown parameter: ${unknown}`, {
    code: 'parameter_unknown',
    param: unknown,
  })
}
