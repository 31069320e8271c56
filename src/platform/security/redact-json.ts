import { memoize } from '#kernel/memoize'
import { maskCardNumbersInJson, maskSecretWords, mayHoldCardNumber } from '#platform/security/redaction'

const SECRET_MEMBERS: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'signature',
  'signature-input',
  'webhook-signature',
  'api_key',
  'client_key',
  'publishable_key',
  'hmac_key',
  'private_key',
  'encryption_keys',
  'credentials',
  'cryptogram',
  'pin',
  'one_time_code',
  'otp',
  'totp',
  'backup_codes',
  'session_token',
  'access_token',
  'refresh_token',
  'id_token',
  'd',
  'p',
  'q',
  'dp',
  'dq',
  'qi',
  'k',
  'payment_link',
  'current_payment_link',
  'download_link',
  'verify_url',
]

/** Files: a bank statement names many people, and an erasure of one of them does not find it by an id. */
const FILE_MEMBERS: readonly string[] = ['content']

/** Words in callers' own names under which a secret may be sent by mistake. */
const SECRET_WORD = /secret|password|passwd|passphrase|cvc|cvv|csc|security_code/i
const CARD_MEMBERS = new Set(['number', 'pan', 'card_number'])
const secretMembers = new Set([...SECRET_MEMBERS, ...FILE_MEMBERS])

/** Testing every name anew was half of the cost of a redaction. */
const kindOf = memoize((name: string): 'secret' | 'card' | 'other' => {
  // A quote that is escaped stands inside of a text and ends no name.
  if (name.endsWith('\\')) return 'other'
  const lower = name.toLowerCase()
  if (secretMembers.has(lower) || SECRET_WORD.test(name)) return 'secret'
  return CARD_MEMBERS.has(lower) ? 'card' : 'other'
})

const REDACTED = '"[redacted]"'
const SPACED_COLON = /"\s+:/
const SPACED_COLONS = /"\s+:/g
const MAX_NAME_LENGTH = 256
/** Card numbers are masked by their check digit. This finds a mistyped one too, and a JWE that holds one. */
const CARD_VALUE = /^(?:"[\d -]{8,}"|\d{8,}|"ey[\w-]+\.[^"]*")$/
const LINK_TOKEN = /(\/(?:pay|documents|verify|unsubscribe)\/[A-Za-z0-9_-]+)(?:\.[A-Za-z0-9_-]+){4}/g
const ASCII_ESCAPE = /\\(?:u00([2-7][\da-f])|[^])/gi
const ESCAPED_QUOTE_OR_BACKSLASH = /["\\]/

/**
 * Redacts JSON text without parsing it, so that numbers keep their digits and a text that was cut can be redacted too. An
 * unfinished value of a secret member is redacted to its end.
 */
export function redactJson(text: string): string {
  const plain = text.includes('\\u') ? text.replace(ASCII_ESCAPE, unescaped) : text
  const redacted = maskSecretWords(withoutSecretMembers(plain)).replace(LINK_TOKEN, '$1.[redacted]')
  return mayHoldCardNumber(redacted) ? maskCardNumbersInJson(redacted) : redacted
}

const DIGIT_OR_SEPARATOR = /[\d -]/

/** Redacts the beginning of a text. Digits at the cut are left out, because they may be the beginning of a card number. */
export function redactBeginning(text: string, length: number): string {
  let end = Math.min(text.length, length)
  while (end > 0 && DIGIT_OR_SEPARATOR.test(text.charAt(end - 1))) end--
  return redactJson(text.slice(0, end))
}

function unescaped(escape: string, hex: string | undefined): string {
  if (hex === undefined) return escape
  const character = String.fromCharCode(Number.parseInt(hex, 16))
  return ESCAPED_QUOTE_OR_BACKSLASH.test(character) ? escape : character
}

/** Searches for `":` instead of matching members: an expression that does took 7 µs for a reply of 1 kB. */
function withoutSecretMembers(spaced: string): string {
  const text = SPACED_COLON.test(spaced) ? spaced.replace(SPACED_COLONS, '":') : spaced
  let result = ''
  let kept = 0
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at)) {
    const name = text.slice(Math.max(text.lastIndexOf('"', at - 1) + 1, at - MAX_NAME_LENGTH), at)
    const start = endOfSpace(text, at + 2)
    at = start
    const kind = kindOf(name)
    if (kind === 'other') continue
    // Does not look for the end of a kept value: nested objects would be read once for each level.
    if (kind === 'secret' ? !isSecret(text, start, name) : isContainer(text, start)) continue
    const end = endOfValue(text, start)
    const value = kind === 'secret' ? REDACTED : redactedCard(text.slice(start, end))
    if (value === undefined) continue
    result += text.slice(kept, start) + value
    kept = end
    at = end
  }
  return kept === 0 ? text : result + text.slice(kept)
}

function endOfSpace(text: string, start: number): number {
  let index = start
  while (text[index] === ' ' || text[index] === '\n' || text[index] === '\r' || text[index] === '\t') index++
  return index
}

function isContainer(text: string, start: number): boolean {
  return text[start] === '{' || text[start] === '['
}

function isSecret(text: string, start: number, name: string): boolean {
  const isEmpty = text.startsWith('null', start) || text.startsWith('""', start)
  // `{"api_key": {"id": …}}` describes a key; the secret stands beside it.
  return !isEmpty && !(text[start] === '{' && name.toLowerCase() === 'api_key')
}

function redactedCard(value: string): string | undefined {
  if (!CARD_VALUE.test(value)) return undefined
  const digits = value.replaceAll(/\D/g, '')
  const isMaskable = digits.length >= 12 && !value.startsWith('"ey')
  return isMaskable ? `"${digits.slice(0, 6)}******${digits.slice(-4)}"` : REDACTED
}

function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      index = endOfString(text, index)
      if (depth === 0) return index + 1
    } else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth < 0) return index
      if (depth === 0) return index + 1
    } else if (depth === 0 && (character === ',' || character === '\n')) return index
  }
  return text.length
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index
  }
  return text.length
}
