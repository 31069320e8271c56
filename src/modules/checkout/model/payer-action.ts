import type { PayerAction } from '#modules/payments'

/** The largest code of level M has 2,331 bytes. */
export const MAX_CODE_LENGTH = 2_000

/**
 * The text of the code that the payer scans. Null where there is none: a phone opens the app instead.
 * @param action the simulator's wallets of before had a page without a code; the code then leads to that page
 */
export function codeOf(action: PayerAction | null): string | null {
  if (action === null) return null
  const isOfBefore = action.page === undefined && action.type === 'wallet_confirmation'
  const text = action.qrCode ?? (isOfBefore ? action.url : null)
  return text === null || text.length > MAX_CODE_LENGTH ? null : text
}
