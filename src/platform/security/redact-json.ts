import { MANY_DIGITS, maskCardNumbersInJson, maskSecretWords } from '#platform/security/redaction'

/** Members whose values the request log and the audit log never keep. The value may be an object, such as `credentials`. */
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
  // Of a private key sent as a JWK by mistake.
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

const REDACTED = '"[redacted]"'
/** A caller may send such a member where it does not belong, under a name of its own. */
const SECRET_WORDS = String.raw`[\w-]*(?:secret|password|passwd|passphrase|cvc|cvv|csc|security_code)[\w-]*`
const SECRET_MEMBER = new RegExp(String.raw`"(?:${SECRET_MEMBERS.join('|')}|${SECRET_WORDS})"\s*:\s*`, 'gi')
/** Card numbers are masked by their check digit. This masks a mistyped one too, whose digits are as good as a real one's. */
const CARD_MEMBER = /"(?:number|pan|card_number)"\s*:\s*(?:"(?:[\d -]{8,}|ey[\w-]+\.[^"]*)"|\d{8,})/gi
/** `/pay/<object>.<tenant>.<expiry>.<key>.<signature>`: who holds the whole link may open the page. */
const LINK_TOKEN = /(\/(?:pay|documents|verify)\/[A-Za-z0-9_-]+)(?:\.[A-Za-z0-9_-]+){4}/g
const ASCII_ESCAPE = /\\(?:u00([2-7][\da-f])|[^])/gi
const ESCAPED_QUOTE_OR_BACKSLASH = /["\\]/

/**
 * Redacts JSON text without parsing it, so that numbers keep their digits and a text that was cut can be redacted too. An
 * unfinished value of a secret member is redacted to its end.
 */
export function redactJson(text: string): string {
  // Names and digits may be written as escapes, such as `c\u0076c`.
  const plain = text.includes('\\u') ? text.replace(ASCII_ESCAPE, unescaped) : text
  const redacted = maskSecretWords(withoutSecretMembers(plain))
    .replace(LINK_TOKEN, '$1.[redacted]')
    .replace(CARD_MEMBER, (member) => `${member.slice(0, member.indexOf(':') + 1)}${maskedCard(member)}`)
  return MANY_DIGITS.test(redacted) ? maskCardNumbersInJson(redacted) : redacted
}

function unescaped(escape: string, hex: string | undefined): string {
  if (hex === undefined) return escape
  const character = String.fromCharCode(Number.parseInt(hex, 16))
  return ESCAPED_QUOTE_OR_BACKSLASH.test(character) ? escape : character
}

function maskedCard(member: string): string {
  const digits = member.slice(member.indexOf(':')).replaceAll(/\D/g, '')
  if (member.endsWith('"') && /: *"ey/.test(member)) return REDACTED
  return digits.length < 12 ? REDACTED : `"${digits.slice(0, 6)}******${digits.slice(-4)}"`
}

function withoutSecretMembers(text: string): string {
  let result = ''
  let kept = 0
  SECRET_MEMBER.lastIndex = 0
  for (let match = SECRET_MEMBER.exec(text); match !== null; match = SECRET_MEMBER.exec(text)) {
    const start = SECRET_MEMBER.lastIndex
    const end = endOfValue(text, start)
    const isEmpty = text.startsWith('null', start) || text.startsWith('""', start)
    // `{"api_key": {"id": …}}` describes a key; the secret stands beside it.
    if (isEmpty || (text[start] === '{' && match[0].startsWith('"api_key"'))) continue
    result += text.slice(kept, start) + REDACTED
    kept = end
    SECRET_MEMBER.lastIndex = end
  }
  return kept === 0 ? text : result + text.slice(kept)
}

/** The index after the JSON value that begins at `start`. */
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

/** The index of the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index
  }
  return text.length
}
