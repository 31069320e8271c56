import { passesLuhn } from '#kernel/card-number'

/**
 * Removes API keys, ours and acquirers', webhook secrets, customer sessions, portal links and sessions, signatures, cookies, card numbers and security codes from log lines. It works on the
 * finished line, so it also catches secrets inside messages and stack traces.
 */

const SECRET = /((?:qk|sk|rk)_(?:test|live)_|whsec_)[A-Za-z0-9+/=_-]+|((?:csess|qps|qpl|qpp)_)[\w.-]+/g
const AUTHORIZATION = /(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi
/** A JSON member at any depth, also inside a string that contains JSON with escaped quotes: 63 backslashes are six such strings deep. */
const SECRET_MEMBER =
  /(\\{0,63}")(authorization|proxy-authorization|cookie|set-cookie|signature|signature-input|webhook-signature|api_key|secret|secret_key|webhook_secret|hmac_key|password|cvc|cvv|private_key|encryption_keys)\1(\s*:\s*)(?:\1.*?(?<!\\)\1|[^\s",}\]\\]+)/gi
const MANY_DIGITS = /\d(?:[ -]?\d){11,}/g
/** A text without an end is a token, too: looking for its end from each of its quotes would take quadratic time. */
const JSON_TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*["\\]?|-?\d[\d.eE+-]*/g
/**
 * Groups of digits that may be a card number. The first two alternatives skip digits after a decimal point (every tenth run of
 * 18 digits is Luhn-valid, and so is "1.000000000000000000"), hashes and addresses.
 */
const DIGIT_GROUPS = /(?<="-?\d+\.)\d+(?=\\*")|0x[\da-f]{40,}|(\d+(?:[ -]\d+)*)/gi
/** Both lengths: reference/logs#redaction. */
const MIN_CARD_NUMBER_LENGTH = 12
const MAX_CARD_NUMBER_LENGTH = 19

export function redactLine(line: string): string {
  const redacted = maskSecretWords(
    line.replace(SECRET_MEMBER, '$1$2$1$3$1[redacted]$1').replace(AUTHORIZATION, '$1 [redacted]'),
  )
  return mayHoldCardNumber(redacted) ? maskCardNumbersInJson(redacted) : redacted
}

export function maskSecretWords(text: string): string {
  return text.replace(SECRET, '$1$2[redacted]')
}

export function maskCardNumbersInJson(text: string): string {
  return text.replace(JSON_TOKEN, (token) => {
    if (token.length < MIN_CARD_NUMBER_LENGTH || !mayHoldCardNumber(token)) return token
    const masked = maskCardNumbers(token)
    return masked === token || token.startsWith('"') ? masked : JSON.stringify(masked)
  })
}

export function maskCardNumbers(text: string): string {
  return text.replace(DIGIT_GROUPS, (whole: string, run?: string) => {
    if (run === undefined || run.length < MIN_CARD_NUMBER_LENGTH) return whole
    const parts = run.split(/([ -])/)
    for (let from = 0; from < parts.length; from += 2) {
      const found = cardNumberFrom(parts, from)
      if (found === undefined) continue
      const { digits, to } = found
      parts.fill('', from, to + 1)
      parts[from] = `${digits.slice(0, 6)}******${digits.slice(-4)}`
      from = to
    }
    return parts.join('')
  })
}

/** False for most texts with a long number, such as a payment's `rrn`, in a tenth of the time that masking takes. */
export function mayHoldCardNumber(text: string): boolean {
  return (text.match(MANY_DIGITS) ?? []).some((run) => {
    const parts = run.split(/([ -])/)
    return parts.some((_, index) => index % 2 === 0 && cardNumberFrom(parts, index) !== undefined)
  })
}

export function containsCardNumber(text: string): boolean {
  return maskCardNumbers(text) !== text
}

/**
 * The longest card number that starts at this group, and the index of its last group. The search stops at the length of a card
 * number, because webhook receivers control the text.
 * @param parts groups of digits and, between them, their separators
 */
function cardNumberFrom(parts: readonly string[], from: number): { digits: string; to: number } | undefined {
  let longest: { digits: string; to: number } | undefined
  let digits = ''
  for (let to = from; to < parts.length; to += 2) {
    digits += parts[to]
    if (digits.length > MAX_CARD_NUMBER_LENGTH) break
    if (digits.length >= MIN_CARD_NUMBER_LENGTH && passesLuhn(digits)) longest = { digits, to }
  }
  return longest
}
