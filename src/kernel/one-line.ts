/**
 * Control characters and line breaks split a line of a file, a header or a terminal. Bidi controls show a line in another order than it
 * has.
 */
const BREAKS_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/u
const BREAKS_LINES = new RegExp(BREAKS_LINE, 'gu')

/** Phrased to follow the member's name. */
export const NOT_ONE_LINE = 'must not hold control characters, line breaks or bidi characters'

export function isOneLine(text: string): boolean {
  return !BREAKS_LINE.test(text)
}

/** For a text of strangers that is written where only one line fits. */
export function onOneLine(text: string): string {
  return text.replace(BREAKS_LINES, ' ')
}

/** These make a text look different from what it says, for example to fake a name or an amount. */
const OVERRIDES = /[\u202d\u202e]/g

/** Leaves the other bidi controls, which texts of two directions need. */
export function withoutOverrides(text: string): string {
  return text.replace(OVERRIDES, '')
}
