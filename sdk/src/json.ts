import { type Decimal, isDecimal } from './money.ts'

/** Where the amounts of a JSON value are. Arrays are left out: the members are those of their elements. `*` is any member without an entry. */
export type Amounts = true | { readonly [member: string]: Amounts }

/** Writes a request. Amounts are decimal strings, which become JSON numbers digit by digit. */
export function writeJson(value: unknown, amounts: Amounts | undefined): string {
  return write(value, amounts, '') ?? 'null'
}

function write(value: unknown, amounts: Amounts | undefined, path: string): string | undefined {
  if (amounts === undefined || value === undefined || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    return `[${value.map((element, index) => write(element, amounts, `${path}[${index}]`) ?? 'null').join()}]`
  }
  if (amounts === true) return exactNumber(value, path)
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = write(member, own(amounts, name), path === '' ? name : `${path}.${name}`)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${members.join()}}`
}

function exactNumber(value: unknown, path: string): Decimal {
  if (isDecimal(value)) return value
  throw new TypeError(`${path} must be an amount as a decimal string, such as "150.50"`)
}

/** Reads a response. Amounts that are JSON numbers become decimal strings with the digits that were sent. */
export function readJson(text: string, amounts: Amounts): unknown {
  const value: unknown = JSON.parse(text)
  return withDecimals(value, JSON.parse(quoteNumbers(text)), amounts)
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*["\\]?|-?\d[\d.eE+-]*/g

/** Quotes every number of a valid JSON text. */
function quoteNumbers(text: string): string {
  return text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`))
}

function withDecimals(value: unknown, quoted: unknown, amounts: Amounts | undefined): unknown {
  if (amounts === undefined) return value
  if (Array.isArray(value)) {
    return value.map((element, index) => withDecimals(element, (quoted as unknown[])[index], amounts))
  }
  if (amounts === true) return typeof value === 'number' ? quoted : value
  if (typeof value !== 'object' || value === null) return value
  const object = value as Record<string, unknown>
  for (const name of Object.keys(Object.hasOwn(amounts, '*') ? object : amounts)) {
    if (Object.hasOwn(object, name)) {
      object[name] = withDecimals(object[name], (quoted as Record<string, unknown>)[name], own(amounts, name))
    }
  }
  return object
}

function own(amounts: Exclude<Amounts, true>, name: string): Amounts | undefined {
  return Object.hasOwn(amounts, name) ? amounts[name] : amounts['*']
}
