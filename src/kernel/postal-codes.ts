/**
 * Countries (ISO 3166-1 alpha-2) for which Unicode's Common Locale Data Repository has no form of postal codes
 * (`common/supplemental/postalCodeData.xml`).
 */
const WITHOUT_POSTAL_CODES: ReadonlySet<string> = new Set(
  `AE AF AG AI AL AO AQ AW BF BI BJ BL BO BQ BS BT BV BW BZ CD CF CG CI CM CO CU CW DJ DM EH ER FJ GA GD GH GI GM GQ GY
  HK IR JM KI KM KN KP KY LC LY MF ML MM MO MR MS MW MZ NA NR NU PA PE PS QA RW SB SC SD SL SR SS ST SV SX SY TD TF TG
  TK TL TO TT TV TZ UG UM VC VG VN VU WS YE ZW`.split(/\s+/),
)

export function hasPostalCodes(country: string): boolean {
  return !WITHOUT_POSTAL_CODES.has(country)
}
