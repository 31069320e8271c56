import { type Decimal, decimal, decimalToString, plusDecimals, unscaledAt } from '#kernel/decimal'
import { ExactNumber, type Json, type JsonObject } from '#kernel/json'
import { Money, parseMoney } from '#kernel/money'
import { isOneLine } from '#kernel/one-line'
import { MAX_RATES_TOGETHER } from '../rates/rates-together.ts'
import { readPercentage } from '../rates/read-rate.ts'
import type { EngineLine, EngineTax, EngineTaxes, TaxQuestion } from '../model/tax-answers.ts'

/** The bound of reference/billing-tax#engine. */
const MAX_NAME = 255

/**
 * Reads the taxes of each line asked for. Returns null, which means silence, unless the answer has each of these lines once, no
 * other lines, and only correct taxes (reference/billing-tax#engine).
 */
export function readTaxes(reply: JsonObject | undefined, question: TaxQuestion): EngineTaxes | null {
  const lines = reply?.['lines']
  if (!Array.isArray(lines) || lines.length !== question.lines.length) return null
  const byId = new Map(
    lines.flatMap((line) => (isObject(line) ? [[line['id'], line['taxes']] as const] : [])),
  )
  const read = question.lines.map(({ id, line }) => readLine(byId.get(id), line))
  return read.every((taxes) => taxes !== undefined) ? read : null
}

function readLine(taxes: Json | undefined, line: EngineLine): readonly EngineTax[] | undefined {
  if (!Array.isArray(taxes) || taxes.length > MAX_RATES_TOGETHER) return undefined
  const read = taxes.flatMap((tax) => readTax(tax, line.amount.currency) ?? [])
  if (read.length < taxes.length) return undefined
  const names = new Set(read.map(({ name, percentage }) => `${decimalToString(percentage)} ${name}`))
  return names.size === read.length && areRight(read, line) ? read : undefined
}

function readTax(tax: Json, currency: string): EngineTax | undefined {
  if (!isObject(tax)) return undefined
  const { name, percentage, amount } = tax
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME) return undefined
  if (!isOneLine(name) || !name.isWellFormed()) return undefined
  if (!isNumber(percentage) || !isNumber(amount)) return undefined
  const rate = readPercentage(percentage)
  const money = parseMoney(currency, amount)
  if (typeof rate === 'string' || !(money instanceof Money)) return undefined
  return { name, percentage: rate, amount: money }
}

const NO_TAX = decimal(0)

/**
 * Whether each amount is the exact tax rounded up or down, and the taxes in an inclusive price do not exceed the price. The base of
 * an inclusive price is the price less all taxes of the line: price × 100 ÷ (100 + all percentages).
 */
function areRight(taxes: readonly EngineTax[], { amount, taxBehavior }: EngineLine): boolean {
  const all = taxes.reduce((sum, { percentage }) => plusDecimals(sum, percentage), NO_TAX)
  const isRounded = taxes.every((tax) =>
    isRoundedTax(tax, amount, taxBehavior === 'inclusive' ? all : NO_TAX),
  )
  const sum = taxes.reduce((total, tax) => total.plus(tax.amount), Money.zero(amount.currency))
  return isRounded && (taxBehavior === 'exclusive' || !sum.abs().greaterThan(amount.abs()))
}

/** An amount and its rounding differ by less than one minor unit, in either direction. */
function isRoundedTax({ percentage, amount }: EngineTax, base: Money, contained: Decimal): boolean {
  const scale = Math.max(percentage.scale, contained.scale)
  const whole = 100n * 10n ** BigInt(scale) + unscaledAt(contained, scale)
  const difference = amount.minor * whole - base.minor * unscaledAt(percentage, scale)
  return difference < whole && difference > -whole
}

function isNumber(value: Json | undefined): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

export function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}
