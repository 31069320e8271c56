/** How many decimals Airwallex's own plugin writes (Magento, May 2026); two for all other currencies. */
const NO_DECIMALS = new Set(['CLP', 'HUF', 'IDR', 'ISK', 'JPY', 'KRW', 'PYG', 'TWD', 'UGX', 'VND'])
const THREE_DECIMALS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])

function digitsOf(currency: string): number {
  if (NO_DECIMALS.has(currency)) return 0
  return THREE_DECIMALS.has(currency) ? 3 : 2
}

/** Minor units of an amount in major units; null if it has too many decimals or is not positive. */
export function minorOf(amount: number, currency: string): bigint | null {
  const scaled = amount * 10 ** digitsOf(currency)
  const whole = Math.round(scaled)
  const isExact =
    Number.isSafeInteger(whole) && Math.abs(scaled - whole) < 1e-6 * Math.max(1, Math.abs(whole) / 1e9)
  return isExact && whole > 0 ? BigInt(whole) : null
}

export function exactMinor(amount: number, currency: string): bigint {
  return BigInt(Math.round(amount * 10 ** digitsOf(currency)))
}

export function majorOf(minor: bigint, currency: string): number {
  return Number(decimalOf(minor, currency))
}

export function decimalOf(minor: bigint, currency: string): string {
  const digits = digitsOf(currency)
  if (digits === 0) return minor.toString()
  const sign = minor < 0n ? '-' : ''
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
