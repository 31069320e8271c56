import { decimal, decimalToString, timesDecimals } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { exchangeOf } from '../model/exchange.ts'
import type { Invoice, InvoiceLine } from '../model/invoice.ts'
import type { TaxBehavior, TaxGroup, Treatment } from '#modules/taxes'

/** - `rate`: A percentage. */
export interface ExampleLine {
  readonly label?: string
  readonly quantity?: string
  readonly unitAmount: string
  readonly discount?: string
  readonly treatment?: Treatment
  readonly rate?: string
  readonly period?: InvoiceLine['period']
}

interface Options {
  readonly currency?: string
  readonly behavior?: TaxBehavior
  readonly prepaid?: string
  readonly members?: Partial<Invoice>
}

/** An invoice whose tax is rounded once for each rate and shared over its lines by running shares. */
export function exampleInvoice(examples: readonly ExampleLine[], options: Options = {}): Invoice {
  const { currency = 'EUR', behavior = 'exclusive' } = options
  const untaxed = examples.map((example, index) => untaxedLine(example, index, currency))
  const keys = [...new Set(untaxed.map(keyOf))]
  const taxed = keys.map((key) =>
    taxLines(
      untaxed.filter((line) => keyOf(line) === key),
      behavior,
    ),
  )
  const lines = taxed.flatMap((group) => group.lines).toSorted((a, b) => Number(a.id) - Number(b.id))
  const sumOf = (part: (line: InvoiceLine) => Money) => sumMoney(currency, lines.map(part))
  const prepaid = Money.ofDecimal(currency, options.prepaid ?? '0')
  const total = sumOf((line) => line.total)
  return {
    id: 'inv_01kanq3x5kf0vsd2pjtwyt7cyr',
    type: 'invoice',
    number: 'INV-2027-000042',
    state: 'open',
    orderNumber: 'ord_01kanq3x5kf0vsd2pjtwyt7cyr',
    planId: null,
    invoiceId: null,
    replaces: null,
    replacedBy: null,
    memo: null,
    corrected: [],
    seller: {
      legalEntityId: 'le_01kanq3x5kf0vsd2pjtwyt7cyr',
      name: 'Teehaus & Söhne GmbH',
      address: {
        line1: 'Speicherstadt 7',
        line2: null,
        postalCode: '20457',
        city: 'Hamburg',
        region: null,
        country: 'DE',
      },
      taxIds: [{ type: 'vat', value: 'DE136695976' }],
      bank: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
      footer: 'Teehaus & Söhne GmbH · Amtsgericht Hamburg HRB 123456 · Geschäftsführerin: Ada Söhne',
    },
    buyer: {
      customerUuid: '3f0e9d0c-8c5c-4df0-9f0f-0a4b5a2f1e55',
      name: 'Café Łódź SARL',
      email: 'billing@cafe.example',
      address: {
        line1: '12 rue de la Paix',
        line2: 'Bâtiment B',
        postalCode: '75002',
        city: 'Paris',
        region: null,
        country: 'FR',
      },
      taxIds: [{ type: 'vat', value: 'FR40303265045' }],
      language: null,
    },
    issueDate: '2027-06-15',
    dueDate: '2027-07-15',
    currency,
    taxBehavior: behavior,
    lines,
    taxes: taxed.map(({ group }) => group),
    netTotal: sumOf((line) => line.net),
    taxTotal: sumOf((line) => line.tax),
    total,
    prepaid,
    amountDue: total.minus(prepaid),
    creditedTotal: Money.zero(currency),
    paymentReference: 'RF18539007547034',
    buyerReference: null,
    purchaseOrder: null,
    notes: [],
    createdAt: Temporal.Instant.from('2027-06-15T09:30:00Z'),
    ...options.members,
  }
}

function untaxedLine(example: ExampleLine, index: number, currency: string): InvoiceLine {
  const quantity = decimal(example.quantity ?? '1')
  const unitAmount = decimal(example.unitAmount)
  const amount = Money.rounded(currency, timesDecimals(quantity, unitAmount))
  const discount = Money.ofDecimal(currency, example.discount ?? '0')
  const treatment = example.treatment ?? 'taxed'
  return {
    id: String(index + 1),
    label: example.label ?? `Tea no. ${index + 1}`,
    quantity,
    unitAmount,
    amount,
    discount,
    net: amount.minus(discount),
    tax: Money.zero(currency),
    total: amount.minus(discount),
    period: example.period ?? null,
    treatment,
    rates: treatment === 'taxed' ? [{ name: 'VAT', percentage: decimal(example.rate ?? '19') }] : [],
  }
}

function keyOf({ treatment, rates: [rate] }: InvoiceLine): string {
  return `${treatment} ${rate === undefined ? '' : decimalToString(rate.percentage)}`
}

function taxLines(
  untaxed: readonly InvoiceLine[],
  behavior: TaxBehavior,
): { lines: InvoiceLine[]; group: TaxGroup } {
  const { treatment, rates, net } = untaxed[0] as InvoiceLine
  const percentage = rates[0]?.percentage ?? decimal(0)
  const hundred = 100n * 10n ** BigInt(percentage.scale)
  const whole = behavior === 'inclusive' ? hundred + percentage.unscaled : hundred
  let sum = Money.zero(net.currency)
  let taxed = Money.zero(net.currency)
  const lines = untaxed.map((line): InvoiceLine => {
    sum = sum.plus(line.net)
    const until = sum.prorate(percentage.unscaled, whole)
    const tax = until.minus(taxed)
    taxed = until
    return behavior === 'inclusive'
      ? { ...line, tax, net: line.net.minus(tax) }
      : { ...line, tax, total: line.net.plus(tax) }
  })
  const base = sumMoney(
    net.currency,
    lines.map((line) => line.net),
  )
  return { lines, group: { name: rates[0]?.name ?? treatment, percentage, treatment, base, amount: taxed } }
}

/** The credit note of the whole invoice. */
export function exampleCreditNote(invoice: Invoice): Invoice {
  return {
    ...invoice,
    id: 'inv_01kanq3x5kf0vsd2pjtwyt7cyx',
    type: 'credit_note',
    number: 'CN-2027-000007',
    invoiceId: invoice.id,
    corrected: [{ number: invoice.number, issueDate: '2027-05-31' }],
    lines: invoice.lines.map((line) => ({ ...line, lineId: line.id })),
    prepaid: Money.zero(invoice.currency),
    amountDue: Money.zero(invoice.currency),
    note: {
      cause: 'request',
      reason: 'The teapot came broken',
      settlement: {
        due: Money.zero(invoice.currency),
        refunds: [{ amount: invoice.total, last4: '4242' }],
        credit: Money.zero(invoice.currency),
      },
    },
  }
}

/** An untaxed invoice of a seller in Hong Kong to a buyer in Australia. */
export function hongKongInvoice(): Invoice {
  const invoice = exampleInvoice([{ unitAmount: '1800', treatment: 'not_registered' }], { currency: 'HKD' })
  const nowhere = { line2: null, postalCode: null, region: null }
  return {
    ...invoice,
    seller: {
      ...invoice.seller,
      name: 'Harbour Tea Limited',
      address: { ...nowhere, line1: '8 Queen’s Road', city: 'Central', country: 'HK' },
      taxIds: [{ type: 'hk_br', value: '12345678' }],
      bank: {
        bic: null,
        accountNumber: '808123456838',
        bankCode: '004',
        branchCode: '808',
        bankName: 'HSBC',
        accountHolder: 'Harbour Tea',
        fpsId: 'pay@tea.example',
      },
      footer: null,
    },
    buyer: {
      ...invoice.buyer,
      address: { ...nowhere, line1: '1 Sussex Street', postalCode: '2000', city: 'Sydney', country: 'AU' },
      taxIds: [{ type: 'au_abn', value: '51824753556' }],
    },
  }
}

/** An invoice that has everything that networks want. */
export function networkInvoice(
  examples: readonly ExampleLine[] = [{ unitAmount: '100' }],
  options: Options = {},
): Invoice {
  const invoice = exampleInvoice(examples, options)
  const email = 'invoices@tea.example'
  return {
    ...invoice,
    seller: {
      ...invoice.seller,
      electronicAddress: { scheme: '9930', value: 'DE136695976' },
      contact: { name: 'Ada Söhne', phone: '+49 40 123456', email },
    },
    buyer: { ...invoice.buyer, electronicAddress: { scheme: '0009', value: '40303265045' } },
    buyerReference: '04011000-12345-03',
    purchaseOrder: 'PO-7',
  }
}

/** An invoice in US dollars, whose seller reports its tax in euro. */
export function foreignInvoice(examples?: readonly ExampleLine[]): Invoice {
  const invoice = networkInvoice(examples, { currency: 'USD' })
  const rate = { date: '2027-06-14', base: 'EUR', quote: 'USD', rate: decimal('1.0835') }
  const wanted = { currency: 'EUR', date: invoice.issueDate, rate }
  return { ...invoice, exchange: exchangeOf(invoice.taxes, wanted) }
}
