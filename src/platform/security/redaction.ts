import { passesLuhn } from '#kernel/card-number'

/**
 * Takes out of a line of the log what must never be in one: API keys, webhook secrets, signatures,
 * cookies, card numbers and codes. It works on the finished line, so it does not matter by which
 * member, message or stack a secret came in.
 */

const SECRET = /(qk_(?:test|live)_|whsec_)[A-Za-z0-9+/=_-]+/g
const AUTHORIZATION = /(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi
/** A JSON member, at any depth and also inside a string that holds JSON (then its quotes are escaped). */
const SECRET_MEMBER =
  /(\\*")(authorization|proxy-authorization|cookie|set-cookie|signature|signature-input|webhook-signature|api_key|secret|webhook_secret|password|cvc|cvv|private_key|encryption_keys)\1(\s*:\s*)(?:\1.*?(?<!\\)\1|[^\s",}\]\\]+)/gi
/** Whether a line may hold a card number at all: most do not, and are not looked at further. */
const MANY_DIGITS = /\d(?:[ -]?\d){11}/
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
/**
 * What may be a card number. First what is none and is passed over: what stands after the point of an amount (of 18 digits
 * every tenth is Luhn-valid, and so is "1.000000000000000000"), and hashes and addresses.
 */
const DIGIT_GROUPS = /(?<="-?\d+\.)\d+(?=\\*")|0x[\da-f]{40,}|(\d+(?:[ -]\d+)*)/gi
const MIN_CARD_NUMBER_LENGTH = 12
const MAX_CARD_NUMBER_LENGTH = 19

/** A line of JSON without its secrets; it stays JSON. */
export function redactLine(line: string): string {
  const redacted = line
    .replace(SECRET_MEMBER, '$1$2$1$3$1[redacted]$1')
    .replace(AUTHORIZATION, '$1 [redacted]')
    .replace(SECRET, '$1[redacted]')
  if (!MANY_DIGITS.test(redacted)) return redacted
  return redacted.replace(JSON_TOKEN, (token) => {
    const masked = maskCardNumbers(token)
    // A card number that was logged as a number becomes a string.
    return masked === token || token.startsWith('"') ? masked : JSON.stringify(masked)
  })
}

/** Text with every card number as `424242******4242`, also when it is written in groups. */
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

/** Whether a card number stands in the text, also written in groups. */
export function holdsCardNumber(text: string): boolean {
  return maskCardNumbers(text) !== text
}

/**
 * The longest card number that begins with this group of digits, and its last group. Receivers of webhooks choose what
 * is looked at here, so it goes no further than a card number is long.
 * @param parts groups of digits, and between them what separates them
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
