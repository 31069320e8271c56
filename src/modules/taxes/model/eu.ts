export const EU_STATES: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** The country of a VAT id. Greece writes EL, and Northern Ireland XI. */
export function countryOfVatId(value: string): string {
  const prefix = value.slice(0, 2)
  return prefix === 'EL' ? 'GR' : prefix === 'XI' ? 'GB' : prefix
}
