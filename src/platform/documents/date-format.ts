/**
 * How mails, pages and documents write dates for a payer: the one place that chooses calendar, digits and order. Thai years are
 * Buddhist, as in the slips of banks and the tax invoices of Thailand; all other languages have Gregorian ones, also where Intl
 * would choose another calendar by the country (ar-SA). Digits are Western, as those of amounts.
 * @param tag BCP 47
 */
export function dateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { language, baseName } = new Intl.Locale(tag)
  // Without a country, English dates have the day first, as most of its readers write them.
  return new Intl.DateTimeFormat(baseName === 'en' ? 'en-GB' : baseName, {
    ...options,
    numberingSystem: 'latn',
    calendar: language === 'th' ? 'buddhist' : 'gregory',
  })
}
