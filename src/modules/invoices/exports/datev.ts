import { minorDigits } from '#kernel/currencies'
import { decimalToString, divideHalfUp, formatUnscaled } from '#kernel/decimal'
import type { Money } from '#kernel/money'
import { withoutFormulas } from '#platform/http/routes/csv'
import type { DatevSettings, ExchangeRate } from '#modules/taxes'

/**
 * A booking of DATEV's Buchungsstapel.
 * - `account`, `contra`: The amount is debited to `account` if it is positive, else credited.
 * - `inBase`: The amount in the currency of the books, and its rate; null where it is in that currency.
 * - `taxKey`: Of the contra account.
 * - `reference`: The field Belegfeld 1.
 * - `corrected`: The number of the document that this one corrects, or empty.
 */
export interface Booking {
  readonly amount: Money
  readonly inBase: { readonly amount: Money; readonly rate: ExchangeRate } | null
  readonly account: string
  readonly contra: string
  readonly taxKey: string | null
  readonly date: string
  readonly reference: string
  readonly corrected: string
  readonly text: string
}

const numbered = (count: number, art: string, content: string) =>
  Array.from({ length: count }, (_, index) => [`${art} ${index + 1}`, `${content} ${index + 1}`]).flat()

/** The columns of the category 21 (Buchungsstapel) in the format version 13. */
const COLUMNS: readonly string[] = [
  'Umsatz (ohne Soll/Haben-Kz)',
  'Soll/Haben-Kennzeichen',
  'WKZ Umsatz',
  'Kurs',
  'Basis-Umsatz',
  'WKZ Basis-Umsatz',
  'Konto',
  'Gegenkonto (ohne BU-Schlüssel)',
  'BU-Schlüssel',
  'Belegdatum',
  'Belegfeld 1',
  'Belegfeld 2',
  'Skonto',
  'Buchungstext',
  'Postensperre',
  'Diverse Adressnummer',
  'Geschäftspartnerbank',
  'Sachverhalt',
  'Zinssperre',
  'Beleglink',
  ...numbered(8, 'Beleginfo - Art', 'Beleginfo - Inhalt'),
  'KOST1 - Kostenstelle',
  'KOST2 - Kostenstelle',
  'Kost-Menge',
  'EU-Land u. UStID (Bestimmung)',
  'EU-Steuersatz (Bestimmung)',
  'Abw. Versteuerungsart',
  'Sachverhalt L+L',
  'Funktionsergänzung L+L',
  'BU 49 Hauptfunktionstyp',
  'BU 49 Hauptfunktionsnummer',
  'BU 49 Funktionsergänzung',
  // DATEV writes it without a blank before the hyphen.
  ...numbered(20, 'Zusatzinformation - Art', 'Zusatzinformation- Inhalt'),
  'Stück',
  'Gewicht',
  'Zahlweise',
  'Forderungsart',
  'Veranlagungsjahr',
  'Zugeordnete Fälligkeit',
  'Skontotyp',
  'Auftragsnummer',
  'Buchungstyp',
  'USt-Schlüssel (Anzahlungen)',
  'EU-Land (Anzahlungen)',
  'Sachverhalt L+L (Anzahlungen)',
  'EU-Steuersatz (Anzahlungen)',
  'Erlöskonto (Anzahlungen)',
  'Herkunft-Kz',
  'Buchungs GUID',
  'KOST-Datum',
  'SEPA-Mandatsreferenz',
  'Skontosperre',
  'Gesellschaftername',
  'Beteiligtennummer',
  'Identifikationsnummer',
  'Zeichnernummer',
  'Postensperre bis',
  'Bezeichnung SoBil-Sachverhalt',
  'Kennzeichen SoBil-Buchung',
  'Festschreibung',
  'Leistungsdatum',
  'Datum Zuord. Steuerperiode',
  'Fälligkeit',
  'Generalumkehr (GU)',
  'Steuersatz',
  'Land',
  'Abrechnungsreferenz',
  'BVV-Position',
  'EU-Land u. UStID (Ursprung)',
  'EU-Steuersatz (Ursprung)',
  'Abw. Skontokonto',
]

/** Belegfeld 1. */
const MAX_REFERENCE = 36
/** Belegfeld 2 has room for 12 characters, and most numbers are longer; a Beleginfo is shown beside it. */
const CORRECTED = 'Korrigiert'
/** The amount in the currency of the document, where DATEV has no room for its rate or its decimals. */
const FOREIGN = 'Betrag'
/** Beleginfo - Inhalt. */
const MAX_INFORMATION = 210
const BEFORE_INFORMATION = COLUMNS.indexOf('Beleginfo - Art 1')
/** Buchungstext. */
const MAX_TEXT = 60

interface Header {
  readonly datev: DatevSettings
  readonly from: string
  readonly to: string
  readonly fiscalYear: string
}

/** The first two lines. The time of making is the range's end, so that the same range gives the same bytes. */
export function datevHead({ datev, from, to, fiscalYear }: Header): Uint8Array {
  const head = [
    '"EXTF"',
    '700',
    '21',
    '"Buchungsstapel"',
    '13',
    `${compact(to)}000000000`,
    '',
    '"QT"',
    '""',
    '""',
    String(datev.consultant),
    String(datev.client),
    compact(fiscalYear),
    String(datev.accountLength),
    compact(from),
    compact(to),
    quoted(`${from} - ${to}`, MAX_TEXT),
    '""',
    '1',
    '0',
    '0',
    '""',
    '',
    '""',
    '',
    '',
    '""',
    '',
    '',
    '""',
    '""',
  ]
  return inWindows1252(`${head.join(';')}\r\n${COLUMNS.join(';')}\r\n`)
}

export function datevLine({ amount, inBase, ...booking }: Booking): Uint8Array {
  const rate = inBase === null ? undefined : rateText(inBase.rate, amount.currency)
  const isForeign = rate !== undefined && minorDigits(amount.currency) <= AMOUNT_DECIMALS
  const booked = inBase === null || isForeign ? amount : inBase.amount
  const information = [
    ...(booking.corrected === '' ? ['', ''] : [`"${CORRECTED}"`, quoted(booking.corrected, MAX_INFORMATION)]),
    ...(booked === amount ? ['', ''] : [`"${FOREIGN}"`, `"${amount.abs().toString()} ${amount.currency}"`]),
  ]
  const fields = [
    amountText(booked),
    amount.isNegative() ? '"H"' : '"S"',
    `"${booked.currency}"`,
    ...(inBase !== null && isForeign
      ? [rate, amountText(inBase.amount), `"${inBase.amount.currency}"`]
      : ['', '', '']),
    booking.account,
    booking.contra,
    booking.taxKey === null ? '' : `"${booking.taxKey}"`,
    `${booking.date.slice(8, 10)}${booking.date.slice(5, 7)}`,
    `"${referenceOf(booking.reference)}"`,
    '""',
    '',
    quoted(booking.text, MAX_TEXT),
    ...Array.from({ length: BEFORE_INFORMATION - 14 }, () => ''),
    ...information,
    ...Array.from({ length: COLUMNS.length - BEFORE_INFORMATION - information.length }, () => ''),
  ]
  return inWindows1252(`${fields.join(';')}\r\n`)
}

/** Umsatz and Basis-Umsatz: ten digits, the comma and two decimals. */
const MAX_AMOUNT = 13

/** Why DATEV would not import a booking, or undefined. Accounts of persons have one digit more than the others. */
export function bookingProblem(
  { amount, inBase, account, contra, reference }: Booking,
  { accountLength }: DatevSettings,
): string | undefined {
  const most = accountLength + 1
  const wrong = [account, contra].find((one) => !/^0*[1-9][0-9]*$/.test(one) || one.length > most)
  if (wrong !== undefined)
    return `DATEV has no account "${wrong}": with an account_length of ${accountLength} it has 1 to ${most} digits.`
  const great = [amount, ...(inBase === null ? [] : [inBase.amount])].find(
    (one) => amountText(one).length > MAX_AMOUNT,
  )
  if (great === undefined) return undefined
  return `DATEV takes at most 9999999999.99, but ${reference} has ${great.abs().toString()} ${great.currency}.`
}

/** Without a sign. */
function amountText(amount: Money): string {
  return decimalToString(amount.abs().toDecimal(), AMOUNT_DECIMALS).replace('.', ',')
}

/** Umsatz and Basis-Umsatz have exactly two. */
export const AMOUNT_DECIMALS = 2
/** Kurs has one to four digits before the comma, the first of them not 0, and up to six after it. */
const MAX_RATE_DECIMALS = 6
const ONE = 10n ** BigInt(MAX_RATE_DECIMALS)
const MAX_RATE = 9_999n * ONE

/** How much of the currency one unit of the base currency is; undefined for a rate that Kurs does not take. */
function rateText({ base, rate }: ExchangeRate, currency: string): string | undefined {
  const scale = 10n ** BigInt(rate.scale)
  const unscaled =
    base === currency ? divideHalfUp(ONE * scale, rate.unscaled) : divideHalfUp(rate.unscaled * ONE, scale)
  if (unscaled < ONE || unscaled > MAX_RATE) return undefined
  let [digits, decimals] = [unscaled, MAX_RATE_DECIMALS]
  for (; decimals > AMOUNT_DECIMALS && digits % 10n === 0n; decimals--) digits /= 10n
  return formatUnscaled(digits, decimals).replace('.', ',')
}

/** The newest start of a fiscal year that is not after a day. */
export function fiscalYearOf(
  day: Temporal.PlainDate,
  { fiscalYearStart }: DatevSettings,
): Temporal.PlainDate {
  const start = Temporal.PlainMonthDay.from(fiscalYearStart).toPlainDate({ year: day.year })
  return Temporal.PlainDate.compare(start, day) > 0 ? start.subtract({ years: 1 }) : start
}

function compact(date: string): string {
  return date.replaceAll('-', '')
}

/**
 * The field takes letters, digits and `$ & % * + - /`. A sign in front would begin a formula, and the end of a number is what makes it
 * unique.
 */
function referenceOf(text: string): string {
  return text
    .replace(/[^A-Za-z0-9$&%*+/-]/g, '')
    .replace(/^[+-]+/, '')
    .slice(-MAX_REFERENCE)
}

function quoted(text: string, max: number): string {
  const line = withoutFormulas(text.normalize().replace(/\p{Cc}/gu, ' '))
  return `"${[...line].slice(0, max).join('').replaceAll('"', '""')}"`
}

/** Where Windows-1252 differs from Latin-1. */
const WINDOWS_1252 = new Map(
  [...'€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'].flatMap((character, index): [string, number][] =>
    character === ' ' ? [] : [[character, 0x80 + index]],
  ),
)
/** The question mark. */
const UNKNOWN = 0x3f

/** A letter that the code page lacks loses its accent. */
function inWindows1252(text: string): Uint8Array {
  return Uint8Array.from(
    [...text],
    (character) => byteOf(character) ?? byteOf(character.normalize('NFKD').slice(0, 1)) ?? UNKNOWN,
  )
}

function byteOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? UNKNOWN
  return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : WINDOWS_1252.get(character)
}
