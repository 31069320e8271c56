/**
 * Currencies and their minor digits, from ISO 4217 list one (the codes active in 2026). `Intl` would not do:
 * ICU follows CLDR, which differs from ISO for some currencies and changes with the runtime. Metals, bond
 * units, testing codes and XDR have no minor unit in ISO and are left out.
 */
export type Currency = string

const CODES_BY_MINOR_DIGITS: ReadonlyArray<readonly [digits: number, codes: string]> = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
     CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
     HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU
     MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR
     SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED
     VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

const MINOR_DIGITS: ReadonlyMap<Currency, number> = new Map(
  CODES_BY_MINOR_DIGITS.flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code): [Currency, number] => [code, digits]),
  ),
)

export const CURRENCIES: readonly Currency[] = [...MINOR_DIGITS.keys()].sort()

export function isCurrency(code: string): code is Currency {
  return MINOR_DIGITS.has(code)
}

export function minorDigits(currency: Currency): number {
  const digits = MINOR_DIGITS.get(currency)
  if (digits === undefined) throw new RangeError(`${currency} is not an ISO 4217 currency`)
  return digits
}
