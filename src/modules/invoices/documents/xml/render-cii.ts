import type { TimeZone } from '#kernel/time-zone'
import type { Invoice } from '../../model/invoice.ts'
import {
  type EInvoice,
  type EInvoiceLine,
  eInvoiceOf,
  type EInvoiceParty,
  type VatGroup,
} from './e-invoice.ts'
import { correctedText } from '../note-texts.ts'
import { identifier, type XmlElements, xmlText } from './xml-text.ts'

/** The specification identifier (BT-24), also of Factur-X in its profile EN 16931. */
const SPECIFICATION = 'urn:cen.eu:en16931:2017'
const NAMESPACE = 'urn:un:unece:uncefact:data:standard'
const VAT = 'VAT'

/** CII D16B. The invoice lacks nothing of `missingForEInvoice`. */
export function renderCii(invoice: Invoice, timeZone: TimeZone): string {
  const document = eInvoiceOf(invoice, timeZone)
  return xmlText({
    'rsm:CrossIndustryInvoice': {
      '@xmlns:rsm': `${NAMESPACE}:CrossIndustryInvoice:100`,
      '@xmlns:ram': `${NAMESPACE}:ReusableAggregateBusinessInformationEntity:100`,
      '@xmlns:qdt': `${NAMESPACE}:QualifiedDataType:100`,
      '@xmlns:udt': `${NAMESPACE}:UnqualifiedDataType:100`,
      'rsm:ExchangedDocumentContext': {
        'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': SPECIFICATION },
      },
      'rsm:ExchangedDocument': {
        'ram:ID': document.number,
        'ram:TypeCode': document.typeCode,
        'ram:IssueDateTime': date(document.issueDate),
        'ram:IncludedNote': [...document.notes, ...furtherCorrected(document)].map((note) => ({
          'ram:Content': note,
        })),
      },
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': document.lines.map(line),
        'ram:ApplicableHeaderTradeAgreement': {
          'ram:BuyerReference': document.buyerReference ?? undefined,
          'ram:SellerTradeParty': party(document.seller),
          'ram:BuyerTradeParty': party(document.buyer),
          'ram:BuyerOrderReferencedDocument':
            document.purchaseOrder === null ? undefined : { 'ram:IssuerAssignedID': document.purchaseOrder },
        },
        'ram:ApplicableHeaderTradeDelivery': {},
        'ram:ApplicableHeaderTradeSettlement': settlement(document),
      },
    },
  })
}

/** In D16B a document refers to one invoice only. */
function furtherCorrected({ corrected: [, ...others] }: EInvoice): string[] {
  return others.length === 0 ? [] : [`Also corrects ${others.map(correctedText).join(', ')}`]
}

/** UNTDID 2379: 102 is CCYYMMDD. */
function date(day: string): XmlElements {
  return { 'udt:DateTimeString': dateText(day) }
}

function dateText(day: string): XmlElements {
  return { '@format': '102', '#': day.replaceAll('-', '') }
}

function party({
  id,
  name,
  address,
  vatId,
  localTaxId,
  registration,
  endpoint,
  contact,
  email,
}: EInvoiceParty): XmlElements {
  return {
    'ram:ID': id,
    'ram:Name': name,
    'ram:SpecifiedLegalOrganization':
      registration === null ? undefined : { 'ram:ID': identifier(registration) },
    'ram:DefinedTradeContact':
      email === null
        ? undefined
        : {
            'ram:PersonName': contact?.name,
            'ram:TelephoneUniversalCommunication':
              contact === null ? undefined : { 'ram:CompleteNumber': contact.phone },
            'ram:EmailURIUniversalCommunication': { 'ram:URIID': email },
          },
    'ram:PostalTradeAddress': {
      'ram:PostcodeCode': address.postalCode ?? undefined,
      'ram:LineOne': address.line1,
      'ram:LineTwo': address.line2 ?? undefined,
      'ram:CityName': address.city,
      'ram:CountryID': address.country,
      'ram:CountrySubDivisionName': address.region ?? undefined,
    },
    'ram:URIUniversalCommunication': endpoint === null ? undefined : { 'ram:URIID': identifier(endpoint) },
    'ram:SpecifiedTaxRegistration': [
      ...(vatId === null ? [] : [{ 'ram:ID': identifier({ scheme: 'VA', value: vatId }) }]),
      ...(localTaxId === null ? [] : [{ 'ram:ID': identifier({ scheme: 'FC', value: localTaxId }) }]),
    ],
  }
}

function settlement(document: EInvoice): XmlElements {
  const { payment, currency, corrected, dueDate } = document
  const sellersTax = document.taxInSellersCurrency
  const [first] = corrected
  return {
    'ram:PaymentReference': payment?.reference,
    'ram:TaxCurrencyCode': sellersTax?.currency,
    'ram:InvoiceCurrencyCode': currency,
    'ram:SpecifiedTradeSettlementPaymentMeans': paymentMeans(document),
    'ram:ApplicableTradeTax': document.vat.map(breakdown),
    'ram:SpecifiedTradePaymentTerms': payment === null ? undefined : { 'ram:DueDateDateTime': date(dueDate) },
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      'ram:LineTotalAmount': document.net.toString(),
      'ram:TaxBasisTotalAmount': document.net.toString(),
      'ram:TaxTotalAmount': [document.tax, ...(sellersTax === null ? [] : [sellersTax])].map((tax) => ({
        '@currencyID': tax.currency,
        '#': tax.toString(),
      })),
      'ram:GrandTotalAmount': document.total.toString(),
      'ram:TotalPrepaidAmount': document.prepaid.toString(),
      'ram:DuePayableAmount': document.due.toString(),
    },
    'ram:InvoiceReferencedDocument':
      first === undefined
        ? undefined
        : {
            'ram:IssuerAssignedID': first.number,
            'ram:FormattedIssueDateTime':
              first.issueDate === null ? undefined : { 'qdt:DateTimeString': dateText(first.issueDate) },
          },
  }
}

function paymentMeans({ payment }: EInvoice): XmlElements | undefined {
  if (payment === null) return undefined
  const { code, account } = payment
  return {
    'ram:TypeCode': code,
    'ram:PayeePartyCreditorFinancialAccount':
      account === null
        ? undefined
        : {
            'ram:IBANID': account.isIban ? account.id : undefined,
            'ram:AccountName': account.name,
            'ram:ProprietaryID': account.isIban ? undefined : account.id,
          },
    'ram:PayeeSpecifiedCreditorFinancialInstitution':
      (account?.bic ?? null) === null ? undefined : { 'ram:BICID': account?.bic ?? undefined },
  }
}

function breakdown({ category, percentage, base, tax, reason }: VatGroup): XmlElements {
  return {
    'ram:CalculatedAmount': tax.toString(),
    'ram:TypeCode': VAT,
    'ram:ExemptionReason': reason?.text,
    'ram:BasisAmount': base.toString(),
    'ram:CategoryCode': category,
    'ram:ExemptionReasonCode': reason?.code ?? undefined,
    'ram:RateApplicablePercent': percentage ?? undefined,
  }
}

function line({ id, name, quantity, price, net, discount, period, vat }: EInvoiceLine): XmlElements {
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': id },
    'ram:SpecifiedTradeProduct': { 'ram:Name': name },
    'ram:SpecifiedLineTradeAgreement': { 'ram:NetPriceProductTradePrice': { 'ram:ChargeAmount': price } },
    'ram:SpecifiedLineTradeDelivery': { 'ram:BilledQuantity': { '@unitCode': 'C62', '#': quantity } },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': {
        'ram:TypeCode': VAT,
        'ram:CategoryCode': vat.category,
        'ram:RateApplicablePercent': vat.percentage ?? undefined,
      },
      'ram:BillingSpecifiedPeriod':
        period === null
          ? undefined
          : { 'ram:StartDateTime': date(period.start), 'ram:EndDateTime': date(period.end) },
      'ram:SpecifiedTradeAllowanceCharge':
        discount === null
          ? undefined
          : {
              'ram:ChargeIndicator': { 'udt:Indicator': 'false' },
              'ram:ActualAmount': discount.toString(),
              'ram:ReasonCode': '95',
              'ram:Reason': 'Discount',
            },
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': net.toString() },
    },
  }
}
