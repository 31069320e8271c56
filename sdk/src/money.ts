/** An exact amount in major units, such as `"150.50"`. Amounts are never JavaScript numbers. */
export type Decimal = string

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

export function isDecimal(value: unknown): value is Decimal {
  return typeof value === 'string' && DECIMAL.test(value)
}

/**
 * `toMinorUnits('150.5', 'HKD')` is `15050n`. Takes a currency of ISO 4217, or the number of decimals: `6` for USDC.
 * Throws RangeError if the amount has more decimals than that, apart from zeros.
 */
export function toMinorUnits(amount: Decimal, currency: string | number): bigint {
  if (!isDecimal(amount)) throw new RangeError(`"${String(amount)}" is not a decimal such as "150.50"`)
  const digits = minorDigits(currency)
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
  if (/[1-9]/.test(fraction.slice(digits))) {
    throw new RangeError(`${amount} has more than the ${digits} decimals of ${currency}`)
  }
  const minor = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  return amount.startsWith('-') ? -minor : minor
}

/** `fromMinorUnits(15050n, 'HKD')` is `"150.50"`. */
export function fromMinorUnits(minor: bigint, currency: string | number): Decimal {
  const digits = minorDigits(currency)
  const sign = minor < 0n ? '-' : ''
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0')
  if (digits === 0) return sign + text
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** ISO 4217 (2026). `Intl` differs from ISO for some currencies. */
const CURRENCIES: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
      'CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL ' +
      'HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU ' +
      'MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR ' +
      'SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED ' +
      'VES WST XAD XCD XCG YER ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

function minorDigits(currency: string | number): number {
  if (typeof currency === 'number') return currency
  for (const [digits, codes] of CURRENCIES) {
    if (/^[A-Z]{3}$/.test(currency) && codes.includes(currency)) return digits
  }
  throw new RangeError(`${currency} is not a currency of ISO 4217; give the number of decimals instead`)
}
