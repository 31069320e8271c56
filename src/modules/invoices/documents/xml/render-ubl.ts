import type { Money } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'
import type { Invoice } from '../../model/invoice.ts'
import type { DocumentFormat } from '../formats.ts'
import {
  type EInvoice,
  type EInvoiceLine,
  eInvoiceOf,
  type EInvoiceParty,
  type VatGroup,
} from './e-invoice.ts'
import { identifier, type XmlElements, xmlText } from './xml-text.ts'

/** - `specification`: BT-24. - `process`: BT-23. */
interface Profile {
  readonly specification: string
  readonly process: string | undefined
}

const BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

const PROFILES: Readonly<Record<UblFormat, Profile>> = {
  ubl: { specification: 'urn:cen.eu:en16931:2017', process: undefined },
  peppol: {
    specification: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    process: BILLING,
  },
  xrechnung: {
    specification: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
    process: BILLING,
  },
}

export type UblFormat = Extract<DocumentFormat, 'ubl' | 'peppol' | 'xrechnung'>

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'
const VAT = { 'cbc:ID': 'VAT' }
/** Anything but VAT marks a tax registration that is no VAT id (BT-32). */
const LOCAL_TAX = { 'cbc:ID': 'LOC' }

/** UBL 2.1. The invoice lacks nothing of `missingForEInvoice`. */
export function renderUbl(invoice: Invoice, timeZone: TimeZone, format: UblFormat = 'ubl'): string {
  const document = eInvoiceOf(invoice, timeZone)
  const { specification, process } = PROFILES[format]
  const isNetwork = format !== 'ubl'
  const isCreditNote = document.typeCode === '381'
  const root = isCreditNote ? 'CreditNote' : 'Invoice'
  const { issueDate, dueDate, currency, corrected, notes } = document
  const hasMeans = format === 'xrechnung' || (format === 'peppol' && areBothIn('DE', document))
  const areDanish = isNetwork && areBothIn('DK', document)
  return xmlText({
    [root]: {
      '@xmlns': `${NAMESPACE}:${root}-2`,
      '@xmlns:cac': `${NAMESPACE}:CommonAggregateComponents-2`,
      '@xmlns:cbc': `${NAMESPACE}:CommonBasicComponents-2`,
      'cbc:CustomizationID': specification,
      'cbc:ProfileID': process,
      'cbc:ID': document.number,
      'cbc:IssueDate': issueDate,
      ...(isCreditNote
        ? { 'cbc:CreditNoteTypeCode': document.typeCode }
        : { 'cbc:DueDate': dueDate, 'cbc:InvoiceTypeCode': document.typeCode }),
      // Peppol allows one (PEPPOL-EN16931-R002).
      'cbc:Note': isNetwork && notes.length > 0 ? notes.join('\n') : notes,
      'cbc:DocumentCurrencyCode': currency,
      'cbc:TaxCurrencyCode': document.taxInSellersCurrency?.currency,
      'cbc:BuyerReference': document.buyerReference ?? undefined,
      'cac:OrderReference':
        document.purchaseOrder === null ? undefined : { 'cbc:ID': document.purchaseOrder },
      'cac:BillingReference': corrected.map(({ number, issueDate: issuedOn }) => ({
        'cac:InvoiceDocumentReference': {
          'cbc:ID': number,
          'cbc:IssueDate': issuedOn ?? undefined,
        },
      })),
      'cac:AccountingSupplierParty': { 'cac:Party': party(document.seller, areDanish) },
      'cac:AccountingCustomerParty': { 'cac:Party': party(document.buyer, areDanish) },
      'cac:PaymentMeans': paymentMeans(document, areDanish) ?? (hasMeans ? NOTHING_TO_PAY : undefined),
      'cac:TaxTotal': [
        {
          'cbc:TaxAmount': amount(document.tax),
          'cac:TaxSubtotal': document.vat.map((group) => subtotal(group, isNetwork)),
        },
        ...(document.taxInSellersCurrency === null
          ? []
          : [{ 'cbc:TaxAmount': amount(document.taxInSellersCurrency) }]),
      ],
      'cac:LegalMonetaryTotal': {
        'cbc:LineExtensionAmount': amount(document.net),
        'cbc:TaxExclusiveAmount': amount(document.net),
        'cbc:TaxInclusiveAmount': amount(document.total),
        'cbc:PrepaidAmount': amount(document.prepaid),
        'cbc:PayableAmount': amount(document.due),
      },
      [`cac:${root}Line`]: document.lines.map((one) => line(one, isCreditNote)),
    },
  })
}

/**
 * UNTDID 4461: 1 says nothing of the means. Germany wants the group also in credit notes (BR-DE-1, DE-R-001), and the Netherlands do
 * not take it (NL-R-008).
 */
const NOTHING_TO_PAY: XmlElements = { 'cbc:PaymentMeansCode': '1' }

function areBothIn(country: string, { seller, buyer }: EInvoice): boolean {
  return seller.address.country === country && buyer.address.country === country
}

function amount(money: Money): XmlElements {
  return { '@currencyID': money.currency, '#': money.toString() }
}

/** Between Danes an id needs a scheme (DK-R-013), which ours has not. */
function party(
  { id, name, address, vatId, localTaxId, registration, endpoint, contact, email }: EInvoiceParty,
  areDanish: boolean,
): XmlElements {
  return {
    'cbc:EndpointID': endpoint === null ? undefined : identifier(endpoint),
    'cac:PartyIdentification': areDanish ? undefined : { 'cbc:ID': id },
    'cac:PostalAddress': {
      'cbc:StreetName': address.line1,
      'cbc:AdditionalStreetName': address.line2 ?? undefined,
      'cbc:CityName': address.city,
      'cbc:PostalZone': address.postalCode ?? undefined,
      'cbc:CountrySubentity': address.region ?? undefined,
      'cac:Country': { 'cbc:IdentificationCode': address.country },
    },
    'cac:PartyTaxScheme': [
      ...(vatId === null ? [] : [{ 'cbc:CompanyID': vatId, 'cac:TaxScheme': VAT }]),
      ...(localTaxId === null ? [] : [{ 'cbc:CompanyID': localTaxId, 'cac:TaxScheme': LOCAL_TAX }]),
    ],
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': name,
      'cbc:CompanyID': registration === null ? undefined : identifier(registration),
    },
    'cac:Contact':
      email === null
        ? undefined
        : { 'cbc:Name': contact?.name, 'cbc:Telephone': contact?.phone, 'cbc:ElectronicMail': email },
  }
}

/** Danes do not take the code of a transfer outside SEPA (DK-R-005). */
function paymentMeans({ payment }: EInvoice, areDanish: boolean): XmlElements | undefined {
  if (payment === null) return undefined
  const { code, reference, account } = payment
  return {
    'cbc:PaymentMeansCode': areDanish && code === '30' ? '1' : code,
    'cbc:PaymentID': reference,
    'cac:PayeeFinancialAccount':
      account === null
        ? undefined
        : {
            'cbc:ID': account.id,
            'cbc:Name': account.name,
            'cac:FinancialInstitutionBranch': account.bank === null ? undefined : { 'cbc:ID': account.bank },
          },
  }
}

/** Germany wants a rate in every group, also of what is not subject to VAT (BR-DE-14, DE-R-014). */
function subtotal({ category, percentage, base, tax, reason }: VatGroup, isNetwork: boolean): XmlElements {
  return {
    'cbc:TaxableAmount': amount(base),
    'cbc:TaxAmount': amount(tax),
    'cac:TaxCategory': {
      'cbc:ID': category,
      'cbc:Percent': percentage ?? (isNetwork ? '0' : undefined),
      'cbc:TaxExemptionReasonCode': reason?.code ?? undefined,
      'cbc:TaxExemptionReason': reason?.text,
      'cac:TaxScheme': VAT,
    },
  }
}

function line(
  { id, name, quantity, price, net, discount, period, vat }: EInvoiceLine,
  isCreditNote: boolean,
): XmlElements {
  const { currency } = net
  return {
    'cbc:ID': id,
    [isCreditNote ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity']: { '@unitCode': 'C62', '#': quantity },
    'cbc:LineExtensionAmount': amount(net),
    'cac:InvoicePeriod':
      period === null ? undefined : { 'cbc:StartDate': period.start, 'cbc:EndDate': period.end },
    'cac:AllowanceCharge':
      discount === null
        ? undefined
        : {
            'cbc:ChargeIndicator': 'false',
            'cbc:AllowanceChargeReasonCode': '95',
            'cbc:AllowanceChargeReason': 'Discount',
            'cbc:Amount': amount(discount),
          },
    'cac:Item': {
      'cbc:Name': name,
      'cac:ClassifiedTaxCategory': {
        'cbc:ID': vat.category,
        'cbc:Percent': vat.percentage ?? undefined,
        'cac:TaxScheme': VAT,
      },
    },
    'cac:Price': { 'cbc:PriceAmount': { '@currencyID': currency, '#': price } },
  }
}
