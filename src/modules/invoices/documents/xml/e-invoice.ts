import {
  compareDecimals,
  type Decimal,
  decimal,
  decimalToString,
  divideHalfUp,
  plusDecimals,
  unscaledAt,
} from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'
import {
  type Address,
  type BankAccount,
  type ElectronicAddress,
  isVatId,
  type TaxId,
  type TaxIdType,
} from '#modules/taxes'
import type { CorrectedInvoice, Invoice, InvoiceLine } from '../../model/invoice.ts'
import { invoiceWords } from '../invoice-words.ts'
import { noteTexts } from '../note-texts.ts'
import { periodDates } from '../period-dates.ts'
import { isBlank } from './xml-text.ts'

/** The VAT categories of EN 16931-1 (BT-118, BT-151) that documents have. */
export type VatCategory = 'S' | 'Z' | 'E' | 'AE' | 'O'

/** - `percentage`: Null for O, which has no rate. */
export interface VatGroup {
  readonly category: VatCategory
  readonly percentage: string | null
  readonly base: Money
  readonly tax: Money
  readonly reason: { readonly text: string; readonly code: string | null } | null
}

/** - `discount`: Of the line (BG-27); null where the price is net of it. */
export interface EInvoiceLine {
  readonly id: string
  readonly name: string
  readonly quantity: string
  readonly price: string
  readonly net: Money
  readonly discount: Money | null
  readonly period: { readonly start: string; readonly end: string } | null
  readonly vat: Pick<VatGroup, 'category' | 'percentage'>
}

/**
 * - `registration`: The legal registration (BT-30, BT-47); its scheme is of the list ICD.
 * - `localTaxId`: The tax registration of a seller that has no VAT id (BT-32).
 */
export interface EInvoiceParty {
  readonly id: string
  readonly name: string
  readonly address: Address
  readonly vatId: string | null
  readonly localTaxId: string | null
  readonly registration: { readonly value: string; readonly scheme: string | undefined } | null
  readonly endpoint: ElectronicAddress | null
  readonly contact: { readonly name: string; readonly phone: string } | null
  readonly email: string | null
}

/**
 * An invoice in the terms of EN 16931-1, for both of its syntaxes.
 * - `prepaid`: All that lowered what is due: BT-112 = BT-113 + BT-115.
 * - `taxInSellersCurrency`: BT-111, its currency is BT-6; null where the seller reports its tax in the currency of the invoice.
 */
export interface EInvoice {
  readonly typeCode: '380' | '381'
  readonly number: string
  readonly issueDate: string
  readonly dueDate: string
  readonly currency: string
  readonly notes: readonly string[]
  readonly buyerReference: string | null
  readonly purchaseOrder: string | null
  readonly seller: EInvoiceParty
  readonly buyer: EInvoiceParty
  readonly corrected: readonly CorrectedInvoice[]
  readonly payment: Payment | null
  readonly lines: readonly EInvoiceLine[]
  readonly vat: readonly VatGroup[]
  readonly net: Money
  readonly tax: Money
  readonly taxInSellersCurrency: Money | null
  readonly total: Money
  readonly prepaid: Money
  readonly due: Money
}

interface Payment {
  readonly code: string
  readonly reference: string
  readonly account: Account | null
}

/** - `bank`: The BIC (BT-86), or the bank's code in its country. */
interface Account {
  readonly id: string
  readonly isIban: boolean
  readonly name: string
  readonly bic: string | null
  readonly bank: string | null
}

/** @param timeZone the business's, for the dates of periods */
export function eInvoiceOf(invoice: Invoice, timeZone: TimeZone): EInvoice {
  const { seller, buyer } = invoice
  if (buyer.address === null) throw new Error(`invoice ${invoice.number} has no address of its buyer`)
  const isCreditNote = invoice.type === 'credit_note'
  const due = claimOf(invoice)
  const categories = categoriesOf(invoice)
  const lines = invoice.lines.map((line) => lineOf(line, categories(line), timeZone))
  const showsVatIds = !lines.every(({ vat }) => vat.category === 'O')
  const vatId = (taxIds: readonly TaxId[]) => (showsVatIds ? (taxIds.find(isVatId)?.value ?? null) : null)
  const localTaxId = seller.taxIds.some(isVatId) ? null : (seller.taxIds[0]?.value ?? null)
  return {
    typeCode: isCreditNote ? '381' : '380',
    number: invoice.number,
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    currency: invoice.currency,
    notes: [...noteTexts(invoice, invoiceWords(buyer.language ?? 'en').words), ...notesOf(invoice)],
    buyerReference: invoice.buyerReference,
    purchaseOrder: invoice.purchaseOrder,
    seller: {
      id: seller.legalEntityId,
      name: seller.name,
      address: seller.address,
      vatId: vatId(seller.taxIds),
      localTaxId: showsVatIds ? localTaxId : null,
      registration: registrationOf(seller),
      endpoint: seller.electronicAddress ?? null,
      contact: seller.contact ?? null,
      email: seller.contact?.email ?? null,
    },
    buyer: {
      id: buyer.customerUuid,
      name: buyer.name,
      address: buyer.address,
      vatId: vatId(buyer.taxIds),
      localTaxId: null,
      registration: registrationOf(buyer),
      endpoint: buyer.electronicAddress ?? null,
      contact: null,
      email: buyer.email,
    },
    corrected: invoice.corrected,
    payment: isCreditNote ? null : paymentOf(invoice),
    lines,
    vat: groupsOf(invoice, lines),
    net: invoice.netTotal,
    tax: invoice.taxTotal,
    taxInSellersCurrency: invoice.exchange?.converted?.total ?? null,
    total: invoice.total,
    prepaid: invoice.total.minus(due),
    due,
  }
}

/** Tax ids that are also the number of a business in a register, with the scheme of ISO/IEC 6523 where there is one. */
const REGISTERS: Partial<Readonly<Record<TaxIdType, { readonly scheme?: string }>>> = {
  au_abn: { scheme: '0151' },
  ca_bn: {},
  ch_vat: { scheme: '0183' },
  hk_br: {},
  jp_rn: { scheme: '0221' },
  kr_brn: {},
  no_vat: { scheme: '0192' },
  sg_uen: { scheme: '0195' },
  us_ein: {},
}

interface Registered {
  readonly address: Address | null
  readonly taxIds: readonly TaxId[]
  readonly electronicAddress?: ElectronicAddress
}

/** The scheme of numbers of the Icelandic register, as an electronic address (EAS) and as a registration (ICD). */
export const KENNITALA = '0196'

/**
 * In Denmark the number of the VAT id is that of the register (CVR). No tax id of Iceland is known here, but parties are reached by the
 * number of the register.
 */
export function registrationOf({
  address,
  taxIds,
  electronicAddress,
}: Registered): EInvoiceParty['registration'] {
  if (address?.country === 'IS' && electronicAddress?.scheme === KENNITALA) return electronicAddress
  const danish = taxIds.find((id) => isVatId(id) && id.value.startsWith('DK'))
  if (danish !== undefined && address?.country === 'DK')
    return { value: danish.value.slice(2), scheme: '0184' }
  const registered = taxIds.find(({ type }) => REGISTERS[type] !== undefined)
  if (registered === undefined) return null
  const { type, value } = registered
  return { value: numberIn(type, value), scheme: REGISTERS[type]?.scheme }
}

/** A register knows the number without what marks it as one of tax. */
function numberIn(type: TaxIdType, value: string): string {
  if (type === 'no_vat') return value.replace(/^NO/, '').replace(/MVA$/, '')
  return type === 'ch_vat' ? value.replace(/(MWST|TVA|IVA)$/, '') : value
}

/** What is left of the document's claim. The claim of an uncollectible invoice is neither due nor paid. */
export function claimOf({ type, state, total, prepaid, creditedTotal, amountDue }: Invoice): Money {
  if (type === 'credit_note') return total.minus(prepaid)
  return state === 'uncollectible' ? total.minus(prepaid).minus(creditedTotal) : amountDue
}

function notesOf({ memo, notes, lines }: Invoice): readonly string[] {
  const isReverse = lines.some(({ treatment }) => treatment === 'reverse_charge')
  return [
    ...(memo === null ? [] : [memo]),
    ...notes,
    ...(isReverse && !notes.includes(REVERSE_CHARGE) ? [REVERSE_CHARGE] : []),
  ]
}

export const REVERSE_CHARGE = 'Reverse charge'

/** Category O allows no other category in its document (BR-O-11 to 14). Beside others, its lines are exempt (E) instead. */
export function categoriesOf({ lines }: Invoice): (line: InvoiceLine) => VatCategory {
  const areAllOutside = lines.every(({ treatment }) => treatment === 'not_registered')
  return (line) => {
    switch (line.treatment) {
      case 'exempt':
      case 'no_rate':
        return 'E'
      case 'reverse_charge':
        return 'AE'
      case 'taxed':
        return percentageOf(line).unscaled === 0n ? 'Z' : 'S'
      case 'not_registered':
        return areAllOutside ? 'O' : 'E'
    }
  }
}

const ZERO = decimal(0)

function percentageOf({ rates }: InvoiceLine): Decimal {
  return rates.reduce((sum, { percentage }) => plusDecimals(sum, percentage), ZERO)
}

function lineOf(line: InvoiceLine, category: VatCategory, timeZone: TimeZone): EInvoiceLine {
  const percentage = category === 'S' ? percentageOf(line) : ZERO
  return {
    id: line.id,
    name: isBlank(line.label) ? '-' : line.label,
    net: line.net,
    ...priceOf(line),
    period: line.period && periodDates(line.period, timeZone),
    vat: { category, percentage: category === 'O' ? null : decimalToString(percentage) },
  }
}

function priceOf(line: InvoiceLine): Pick<EInvoiceLine, 'quantity' | 'price' | 'discount'> {
  const { quantity, unitAmount, amount, discount, net } = line
  if (!discount.isNegative() && amount.minus(discount).equals(net)) {
    return {
      quantity: decimalToString(quantity),
      price: decimalToString(unitAmount),
      discount: discount.isZero() ? null : discount,
    }
  }
  if (quantity.unscaled === 0n) return { ...netPrice(net, decimal(1)), discount: null }
  return { ...netPrice(net, quantity), discount: null }
}

/** Exact enough that the price times any quantity below a hundred million is the line's amount. */
const PRICE_DECIMALS = 10

/** Prices in EN 16931 are without tax. The quantity has the sign of the amount, never the price (BR-27). */
function netPrice(net: Money, quantity: Decimal): { quantity: string; price: string } {
  const size: Decimal = quantity.unscaled < 0n ? { ...quantity, unscaled: -quantity.unscaled } : quantity
  const amount = net.abs().toDecimal()
  const scale = Math.max(amount.scale, size.scale)
  const price: Decimal = {
    unscaled: divideHalfUp(
      unscaledAt(amount, scale) * 10n ** BigInt(PRICE_DECIMALS),
      unscaledAt(size, scale),
    ),
    scale: PRICE_DECIMALS,
  }
  const signed: Decimal = net.isNegative() ? { ...size, unscaled: -size.unscaled } : size
  return { quantity: decimalToString(signed), price: decimalToString(shortest(price)) }
}

function shortest({ unscaled, scale }: Decimal): Decimal {
  let [value, digits] = [unscaled, scale]
  for (; digits > 2 && value % 10n === 0n; digits--) value /= 10n
  return { unscaled: value, scale: digits }
}

/** EN 16931 groups lines by category and rate. An order groups them by name, and a line may be in two of its groups. */
function groupsOf(invoice: Invoice, lines: readonly EInvoiceLine[]): VatGroup[] {
  const groups = new Map<string, VatGroup>()
  lines.forEach(({ vat: { category, percentage }, net }, index) => {
    const key = `${category} ${percentage}`
    const tax = invoice.lines[index]?.tax ?? Money.zero(net.currency)
    const group = groups.get(key)
    groups.set(key, {
      category,
      percentage,
      base: group === undefined ? net : group.base.plus(net),
      tax: group === undefined ? tax : group.tax.plus(tax),
      reason: REASONS[category],
    })
  })
  return [...groups.values()].toSorted((a, b) => compareDecimals(rateOf(b), rateOf(a)))
}

function rateOf({ percentage }: VatGroup): Decimal {
  return decimal(percentage ?? 0)
}

/** BT-120 and BT-121, from the code list VATEX. */
const REASONS: Readonly<Record<VatCategory, VatGroup['reason']>> = {
  S: null,
  Z: null,
  E: { text: 'Exempt from tax', code: null },
  AE: { text: REVERSE_CHARGE, code: 'VATEX-EU-AE' },
  O: { text: 'Not subject to tax', code: 'VATEX-EU-O' },
}

/** UNTDID 4461: 58 is a SEPA transfer, 30 another one, 1 says nothing. */
function paymentOf({ seller, currency, paymentReference: reference }: Invoice): Payment {
  const { bank, name } = seller
  if (bank === null) return { code: '1', reference, account: null }
  const code = currency === 'EUR' && bank.iban !== undefined ? '58' : '30'
  return { code, reference, account: accountOf(bank, name) }
}

function accountOf(
  { iban, accountNumber, bic, bankCode, branchCode, accountHolder }: BankAccount,
  name: string,
): Account {
  const clearingCode = bankCode === undefined ? null : `${bankCode}${branchCode ?? ''}`
  return {
    id: iban ?? accountNumber ?? '',
    isIban: iban !== undefined,
    name: accountHolder ?? name,
    bic,
    bank: bic ?? clearingCode,
  }
}
