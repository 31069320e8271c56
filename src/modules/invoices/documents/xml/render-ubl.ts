import type { Money } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'
import type { Invoice } from '../../model/invoice.ts'
import {
  type EInvoice,
  type EInvoiceLine,
  eInvoiceOf,
  type EInvoiceParty,
  type VatGroup,
} from './e-invoice.ts'
import { type XmlElements, xmlText } from './xml-text.ts'

const SPECIFICATION = 'urn:cen.eu:en16931:2017'
const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'
const VAT = { 'cbc:ID': 'VAT' }

/** UBL 2.1. The invoice lacks nothing of `missingForEInvoice`. */
export function renderUbl(invoice: Invoice, timeZone: TimeZone): string {
  const document = eInvoiceOf(invoice, timeZone)
  const isCreditNote = document.typeCode === '381'
  const root = isCreditNote ? 'CreditNote' : 'Invoice'
  const { issueDate, dueDate, currency, corrected, notes } = document
  return xmlText({
    [root]: {
      '@xmlns': `${NAMESPACE}:${root}-2`,
      '@xmlns:cac': `${NAMESPACE}:CommonAggregateComponents-2`,
      '@xmlns:cbc': `${NAMESPACE}:CommonBasicComponents-2`,
      'cbc:CustomizationID': SPECIFICATION,
      'cbc:ID': document.number,
      'cbc:IssueDate': issueDate,
      ...(isCreditNote
        ? { 'cbc:CreditNoteTypeCode': document.typeCode }
        : { 'cbc:DueDate': dueDate, 'cbc:InvoiceTypeCode': document.typeCode }),
      'cbc:Note': notes,
      'cbc:DocumentCurrencyCode': currency,
      'cac:BillingReference': corrected.map(({ number, issueDate: issuedOn }) => ({
        'cac:InvoiceDocumentReference': {
          'cbc:ID': number,
          'cbc:IssueDate': issuedOn ?? undefined,
        },
      })),
      'cac:AccountingSupplierParty': { 'cac:Party': party(document.seller) },
      'cac:AccountingCustomerParty': { 'cac:Party': party(document.buyer) },
      'cac:PaymentMeans': paymentMeans(document),
      'cac:TaxTotal': {
        'cbc:TaxAmount': amount(document.tax),
        'cac:TaxSubtotal': document.vat.map(subtotal),
      },
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

function amount(money: Money): XmlElements {
  return { '@currencyID': money.currency, '#': money.toString() }
}

function party({ id, name, address, vatId, email }: EInvoiceParty): XmlElements {
  return {
    'cac:PartyIdentification': { 'cbc:ID': id },
    'cac:PostalAddress': {
      'cbc:StreetName': address.line1,
      'cbc:AdditionalStreetName': address.line2 ?? undefined,
      'cbc:CityName': address.city,
      'cbc:PostalZone': address.postalCode,
      'cbc:CountrySubentity': address.region ?? undefined,
      'cac:Country': { 'cbc:IdentificationCode': address.country },
    },
    'cac:PartyTaxScheme': vatId === null ? undefined : { 'cbc:CompanyID': vatId, 'cac:TaxScheme': VAT },
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': name },
    'cac:Contact': email === null ? undefined : { 'cbc:ElectronicMail': email },
  }
}

function paymentMeans({ payment }: EInvoice): XmlElements | undefined {
  if (payment === null) return undefined
  const { code, reference, account } = payment
  return {
    'cbc:PaymentMeansCode': code,
    'cbc:PaymentID': reference,
    'cac:PayeeFinancialAccount':
      account === null
        ? undefined
        : {
            'cbc:ID': account.iban,
            'cbc:Name': account.name,
            'cac:FinancialInstitutionBranch': account.bic === null ? undefined : { 'cbc:ID': account.bic },
          },
  }
}

function subtotal({ category, percentage, base, tax, reason }: VatGroup): XmlElements {
  return {
    'cbc:TaxableAmount': amount(base),
    'cbc:TaxAmount': amount(tax),
    'cac:TaxCategory': {
      'cbc:ID': category,
      'cbc:Percent': percentage ?? undefined,
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
