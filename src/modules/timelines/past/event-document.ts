import { ExactNumber, type Json, type JsonObject, parseJson } from '#kernel/json'
import { Money, parseMoney } from '#kernel/money'

/** The documents of stored events have the shapes of responses. A damaged one reads as empty. */
export function readDocument(text: string | null): JsonObject {
  if (text === null) return {}
  const parsed = parseJson(text)
  return isObject(parsed) ? parsed : {}
}

export function objectAt(object: JsonObject, member: string): JsonObject {
  const value = object[member]
  return value !== undefined && isObject(value) ? value : {}
}

export function arrayAt(object: JsonObject, member: string): JsonObject[] {
  const value = object[member]
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function textAt(object: JsonObject, member: string): string | null {
  const value = object[member]
  return typeof value === 'string' && value !== '' ? value : null
}

export function moneyAt(object: JsonObject, member: string): Money | null {
  const currency = textAt(object, 'currency')
  const value = object[member]
  const isNumber = typeof value === 'number' || typeof value === 'string' || value instanceof ExactNumber
  if (currency === null || !isNumber) return null
  const money = parseMoney(currency, value)
  return money instanceof Money ? money : null
}

function isObject(value: Json): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}
