/**
 * What we commit about a payment before money can move: `pending:PSP` while the payer or a bank still decides, and
 * `PSP` once it is authorized, so that an inquiry knows whether to capture. PSP is empty where Adyen sends it only once the
 * payer is back. A verification appends `@` and the shopper whose stored payment methods it reads.
 */
export interface Reference {
  readonly isPending: boolean
  readonly psp: string | null
  readonly shopper: string | null
}

const PENDING = 'pending:'

export function readReference(text: string): Reference {
  const isPending = text.startsWith(PENDING)
  const [psp = '', shopper = null] = (isPending ? text.slice(PENDING.length) : text).split('@')
  return { isPending, psp: psp === '' ? null : psp, shopper }
}

export function writeReference({ isPending, psp, shopper }: Reference): string {
  return `${isPending ? PENDING : ''}${psp ?? ''}${shopper === null ? '' : `@${shopper}`}`
}
