import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect } from 'vitest'
import { decimal, type Decimal, divideHalfUp, plusDecimals, timesDecimals, unscaledAt } from '#kernel/decimal'

/** What both syntaxes say, as texts. A member that the document lacks is undefined. */
export interface Reading {
  readonly typeCode: string
  readonly number: string
  readonly notes: readonly string[]
  readonly sellerVatId: string | undefined
  readonly buyerVatId: string | undefined
  readonly sellerLocalTaxId: string | undefined
  readonly sellerRegistration: string | undefined
  readonly buyerRegistration: string | undefined
  readonly postalCodes: readonly (string | undefined)[]
  readonly account: string | undefined
  readonly accountName: string | undefined
  readonly endpoints: readonly (string | undefined)[]
  readonly contact: readonly (string | undefined)[]
  readonly buyerReference: string | undefined
  readonly purchaseOrder: string | undefined
  readonly correctedNumber: string | undefined
  readonly correctedDate: string | undefined
  readonly taxCurrency: string | undefined
  readonly otherTax: string | undefined
  readonly totals: Readonly<Record<'lines' | 'net' | 'tax' | 'total' | 'prepaid' | 'due', string>>
  readonly vat: readonly Readonly<
    Record<'base' | 'tax' | 'category' | 'rate' | 'reason', string | undefined>
  >[]
  readonly lines: readonly ReadLine[]
}

interface ReadLine {
  readonly name: string
  readonly quantity: string
  readonly price: string
  readonly discount: string | undefined
  readonly net: string
  readonly category: string
  readonly start: string | undefined
  readonly end: string | undefined
}

type Xml = string | { readonly [name: string]: Xml | readonly Xml[] } | undefined

const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
})

function list(parent: Xml, path: string): Xml[] {
  const [name = '', ...rest] = path.split('/')
  const found = typeof parent === 'object' ? parent[name] : undefined
  const all = found === undefined ? [] : Array.isArray(found) ? (found as Xml[]) : [found as Xml]
  return rest.length === 0 ? all : all.flatMap((one) => list(one, rest.join('/')))
}

function text(parent: Xml, path: string): string {
  return optional(parent, path) ?? expect.fail(`no ${path}`)
}

function optional(parent: Xml, path: string): string | undefined {
  const [first] = list(parent, path)
  if (typeof first === 'object' && typeof first['#text'] === 'string') return first['#text']
  return typeof first === 'string' ? first : undefined
}

/** The second of two amounts, with its currency. */
function otherAmount([, second]: readonly Xml[]): string | undefined {
  if (second === undefined) return undefined
  return `${text(second, '@currencyID')} ${text(second, '#text')}`
}

export function readUbl(xml: string): Reading {
  expect(XMLValidator.validate(xml)).toBe(true)
  const parsed = parser.parse(xml) as Xml
  const [root] = [...list(parsed, 'Invoice'), ...list(parsed, 'CreditNote')]
  const taxId = (party: string, isVat: boolean) => {
    const schemes = list(root, `${party}/Party/PartyTaxScheme`)
    const found = schemes.find((scheme) => (text(scheme, 'TaxScheme/ID') === 'VAT') === isVat)
    return found && text(found, 'CompanyID')
  }
  const ofParties = (path: string) =>
    ['AccountingSupplierParty', 'AccountingCustomerParty'].map((party) =>
      optional(root, `${party}/Party/${path}`),
    )
  const [sellerRegistration, buyerRegistration] = ofParties('PartyLegalEntity/CompanyID')
  return {
    typeCode: optional(root, 'InvoiceTypeCode') ?? text(root, 'CreditNoteTypeCode'),
    number: text(root, 'ID'),
    notes: list(root, 'Note').map(String),
    sellerVatId: taxId('AccountingSupplierParty', true),
    buyerVatId: taxId('AccountingCustomerParty', true),
    sellerLocalTaxId: taxId('AccountingSupplierParty', false),
    sellerRegistration,
    buyerRegistration,
    postalCodes: ofParties('PostalAddress/PostalZone'),
    account: optional(root, 'PaymentMeans/PayeeFinancialAccount/ID'),
    accountName: optional(root, 'PaymentMeans/PayeeFinancialAccount/Name'),
    endpoints: ['AccountingSupplierParty', 'AccountingCustomerParty'].map((party) =>
      schemeAndValue(list(root, `${party}/Party/EndpointID`)[0]),
    ),
    contact: ['Name', 'Telephone', 'ElectronicMail'].map((name) =>
      optional(root, `AccountingSupplierParty/Party/Contact/${name}`),
    ),
    buyerReference: optional(root, 'BuyerReference'),
    purchaseOrder: optional(root, 'OrderReference/ID'),
    correctedNumber: optional(root, 'BillingReference/InvoiceDocumentReference/ID'),
    correctedDate: optional(root, 'BillingReference/InvoiceDocumentReference/IssueDate'),
    taxCurrency: optional(root, 'TaxCurrencyCode'),
    otherTax: otherAmount(list(root, 'TaxTotal/TaxAmount')),
    totals: {
      lines: text(root, 'LegalMonetaryTotal/LineExtensionAmount'),
      net: text(root, 'LegalMonetaryTotal/TaxExclusiveAmount'),
      tax: text(root, 'TaxTotal/TaxAmount'),
      total: text(root, 'LegalMonetaryTotal/TaxInclusiveAmount'),
      prepaid: text(root, 'LegalMonetaryTotal/PrepaidAmount'),
      due: text(root, 'LegalMonetaryTotal/PayableAmount'),
    },
    vat: list(root, 'TaxTotal/TaxSubtotal').map((group) => ({
      base: text(group, 'TaxableAmount'),
      tax: text(group, 'TaxAmount'),
      category: text(group, 'TaxCategory/ID'),
      rate: optional(group, 'TaxCategory/Percent'),
      reason: optional(group, 'TaxCategory/TaxExemptionReason'),
    })),
    lines: [...list(root, 'InvoiceLine'), ...list(root, 'CreditNoteLine')].map((line) => ({
      name: text(line, 'Item/Name'),
      quantity: optional(line, 'InvoicedQuantity') ?? text(line, 'CreditedQuantity'),
      price: text(line, 'Price/PriceAmount'),
      discount: optional(line, 'AllowanceCharge/Amount'),
      net: text(line, 'LineExtensionAmount'),
      category: text(line, 'Item/ClassifiedTaxCategory/ID'),
      start: optional(line, 'InvoicePeriod/StartDate'),
      end: optional(line, 'InvoicePeriod/EndDate'),
    })),
  }
}

export function readCii(xml: string): Reading {
  expect(XMLValidator.validate(xml)).toBe(true)
  const [root] = list(parser.parse(xml) as Xml, 'CrossIndustryInvoice')
  const [trade] = list(root, 'SupplyChainTradeTransaction')
  const [settlement] = list(trade, 'ApplicableHeaderTradeSettlement')
  const [sums] = list(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')
  const taxId = (party: string, scheme: string) => {
    const ids = list(trade, `ApplicableHeaderTradeAgreement/${party}/SpecifiedTaxRegistration/ID`)
    return ids.map(withScheme).find((id) => id.scheme === scheme)?.value
  }
  const ofParties = (path: string) =>
    ['SellerTradeParty', 'BuyerTradeParty'].map((party) => {
      const [id] = list(trade, `ApplicableHeaderTradeAgreement/${party}/${path}`)
      return id && withScheme(id).value
    })
  const [sellerRegistration, buyerRegistration] = ofParties('SpecifiedLegalOrganization/ID')
  const [account] = list(
    settlement,
    'SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount',
  )
  return {
    typeCode: text(root, 'ExchangedDocument/TypeCode'),
    number: text(root, 'ExchangedDocument/ID'),
    notes: list(root, 'ExchangedDocument/IncludedNote/Content').map(String),
    sellerVatId: taxId('SellerTradeParty', 'VA'),
    buyerVatId: taxId('BuyerTradeParty', 'VA'),
    sellerLocalTaxId: taxId('SellerTradeParty', 'FC'),
    sellerRegistration,
    buyerRegistration,
    postalCodes: ofParties('PostalTradeAddress/PostcodeCode'),
    account: optional(account, 'IBANID') ?? optional(account, 'ProprietaryID'),
    accountName: optional(account, 'AccountName'),
    endpoints: ['SellerTradeParty', 'BuyerTradeParty'].map((party) =>
      schemeAndValue(
        list(trade, `ApplicableHeaderTradeAgreement/${party}/URIUniversalCommunication/URIID`)[0],
      ),
    ),
    contact: [
      'PersonName',
      'TelephoneUniversalCommunication/CompleteNumber',
      'EmailURIUniversalCommunication/URIID',
    ].map((path) =>
      optional(trade, `ApplicableHeaderTradeAgreement/SellerTradeParty/DefinedTradeContact/${path}`),
    ),
    buyerReference: optional(trade, 'ApplicableHeaderTradeAgreement/BuyerReference'),
    purchaseOrder: optional(
      trade,
      'ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument/IssuerAssignedID',
    ),
    correctedNumber: optional(settlement, 'InvoiceReferencedDocument/IssuerAssignedID'),
    correctedDate: dayOf(
      optional(settlement, 'InvoiceReferencedDocument/FormattedIssueDateTime/DateTimeString'),
    ),
    taxCurrency: optional(settlement, 'TaxCurrencyCode'),
    otherTax: otherAmount(list(sums, 'TaxTotalAmount')),
    totals: {
      lines: text(sums, 'LineTotalAmount'),
      net: text(sums, 'TaxBasisTotalAmount'),
      tax: text(sums, 'TaxTotalAmount'),
      total: text(sums, 'GrandTotalAmount'),
      prepaid: text(sums, 'TotalPrepaidAmount'),
      due: text(sums, 'DuePayableAmount'),
    },
    vat: list(settlement, 'ApplicableTradeTax').map((group) => ({
      base: text(group, 'BasisAmount'),
      tax: text(group, 'CalculatedAmount'),
      category: text(group, 'CategoryCode'),
      rate: optional(group, 'RateApplicablePercent'),
      reason: optional(group, 'ExemptionReason'),
    })),
    lines: list(trade, 'IncludedSupplyChainTradeLineItem').map((line) => {
      const [settled] = list(line, 'SpecifiedLineTradeSettlement')
      const day = (end: string) => dayOf(optional(settled, `BillingSpecifiedPeriod/${end}/DateTimeString`))
      return {
        name: text(line, 'SpecifiedTradeProduct/Name'),
        quantity: text(line, 'SpecifiedLineTradeDelivery/BilledQuantity'),
        price: text(line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount'),
        discount: optional(settled, 'SpecifiedTradeAllowanceCharge/ActualAmount'),
        net: text(settled, 'SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount'),
        category: text(settled, 'ApplicableTradeTax/CategoryCode'),
        start: day('StartDateTime'),
        end: day('EndDateTime'),
      }
    }),
  }
}

/** Reads an element that may have the attribute `schemeID`. */
function withScheme(element: Xml): { readonly value: string; readonly scheme: string | undefined } {
  if (typeof element === 'string') return { value: element, scheme: undefined }
  return { value: text(element, '#text'), scheme: optional(element, '@schemeID') }
}

function schemeAndValue(element: Xml): string | undefined {
  const { scheme, value } = withScheme(element ?? '')
  return value === '' ? undefined : `${scheme} ${value}`
}

/** Reads a date in the form 102 of UNTDID 2379. */
function dayOf(written: string | undefined): string | undefined {
  return written?.replace(/(....)(..)(..)/, '$1-$2-$3')
}

/** Reads an amount in hundredths. */
function cents(value: Decimal): bigint {
  return divideHalfUp(
    unscaledAt(value, Math.max(2, value.scale)),
    10n ** BigInt(Math.max(0, value.scale - 2)),
  )
}

function sum(texts: readonly string[]): bigint {
  return cents(texts.map((one) => decimal(one)).reduce(plusDecimals, decimal(0)))
}

/** The business rules of EN 16931-1 on sums and signs. BR-CO-17 allows one unit, as the official Schematron does. */
export function expectSumsOfEn16931({ totals, vat, lines }: Reading): void {
  const total = (name: keyof Reading['totals']) => cents(decimal(totals[name]))
  expect(sum(lines.map(({ net }) => net)), 'BR-CO-10').toBe(total('lines'))
  expect(total('lines'), 'BR-CO-13').toBe(total('net'))
  expect(sum(vat.map(({ tax = '' }) => tax)), 'BR-CO-14').toBe(total('tax'))
  expect(total('net') + total('tax'), 'BR-CO-15').toBe(total('total'))
  expect(total('total') - total('prepaid'), 'BR-CO-16').toBe(total('due'))
  expect(new Set(vat.map(({ category, rate }) => `${category} ${rate}`)).size, 'one group a rate').toBe(
    vat.length,
  )
  for (const { base = '', tax = '', rate = '0', category, reason } of vat) {
    const computed = cents(timesDecimals(decimal(base), decimal(rate))) / 100n
    const difference = computed - cents(decimal(tax))
    expect(difference < 100n && difference > -100n, 'BR-CO-17').toBe(true)
    expect(reason !== undefined, 'BR-E-10, BR-AE-10, BR-O-10').toBe(['E', 'AE', 'O'].includes(category ?? ''))
  }
  for (const { price, quantity, discount = '0', net } of lines) {
    expect(decimal(price).unscaled >= 0n, 'BR-27').toBe(true)
    const amount = cents(timesDecimals(decimal(price), decimal(quantity))) - cents(decimal(discount))
    expect(amount, 'price × quantity − discount').toBe(cents(decimal(net)))
  }
}
