import { invalidMerchantAccount, malformed } from './errors.ts'
import { membersOf, type RequestType } from './known-members.ts'

export type Json = Readonly<Record<string, unknown>>

export function parseJson(source: string): Json {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    throw malformed(`Unexpected input: ${source.slice(0, 1)}, expected: {`)
  }
  if (!isObject(value)) throw malformed('Unexpected input, expected: {')
  return value
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Adyen refuses unknown members. */
export function onlyMembersOf(type: RequestType, body: Json): void {
  const known = membersOf(type)
  const unknown = Object.keys(body).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw malformed(`Structure of ${type} contains the following unknown fields: [${unknown.join(', ')}]`)
  }
}

export function text(body: Json, name: string): string | null {
  const value = body[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw malformed(`Unexpected input, expected a string for ${name}`)
  return value
}

export function object(body: Json, name: string): Json | null {
  const value = body[name]
  if (value === undefined || value === null) return null
  if (!isObject(value)) throw malformed(`Unexpected input, expected an object for ${name}`)
  return value
}

export function flag(body: Json, name: string): boolean {
  const value = body[name]
  if (value === undefined || value === null) return false
  if (typeof value !== 'boolean') throw malformed(`Unexpected input, expected true or false for ${name}`)
  return value
}

export function whole(body: Json, name: string): number | null {
  const value = body[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw malformed(`Unexpected input, expected an integer for ${name}`)
  }
  return value
}

/** An account whose name contains `refused` is unknown to the twin; every other one exists. */
export function merchantAccountOf(body: Json, name = 'merchantAccount'): string {
  const account = text(body, name)
  if (account === null || account === '' || /refused/i.test(account)) throw invalidMerchantAccount()
  return account
}
