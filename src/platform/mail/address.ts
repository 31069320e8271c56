import { isOneLine } from '#kernel/one-line'

/** RFC 5321, section 4.5.3.1, bounds the local part and the domain of an address. */
const ADDRESS = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,255}$/

/** Whether a text is exactly one e-mail address: no list, no name, no header that follows, and nothing that is not shown. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text) && isOneLine(text) && text.isWellFormed()
}
