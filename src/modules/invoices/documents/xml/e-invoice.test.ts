import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimal } from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { Invoice } from '../../model/invoice.ts'
import {
  exampleCreditNote,
  exampleInvoice,
  foreignInvoice,
  hongKongInvoice,
  networkInvoice,
} from '../../testing/example-invoice.ts'
import { expectSumsOfEn16931, readCii, type Reading, readUbl } from '../testing/read-e-invoice.ts'
import { missingForEInvoice } from './missing-for-e-invoice.ts'
import { renderCii } from './render-cii.ts'
import { renderUbl } from './render-ubl.ts'

const BERLIN = 'Europe/Berlin'

/** Both syntaxes say the same. */
function read(invoice: Invoice): Reading {
  expect(missingForEInvoice(invoice, 'ubl')).toEqual([])
  const reading = readUbl(renderUbl(invoice, BERLIN))
  expect(readCii(renderCii(invoice, BERLIN))).toEqual(reading)
  expectSumsOfEn16931(reading)
  return reading
}

// Proves reference/billing-documents#electronic-invoices.
describe('an electronic invoice', () => {
  test('has the number, the parties, the lines with their local days, and the totals with what is prepaid', () => {
    const period = { start: '2027-06-14T22:00:00Z', end: '2027-07-14T22:00:00Z' }
    const label = 'Tea <Gold> & more'
    const invoice = exampleInvoice(
      [
        { label, unitAmount: '100', period },
        { unitAmount: '20', rate: '7' },
      ],
      { prepaid: '10.00' },
    )
    expect(read(invoice)).toMatchObject({
      typeCode: '380',
      number: 'INV-2027-000042',
      sellerVatId: 'DE136695976',
      buyerVatId: 'FR40303265045',
      correctedNumber: undefined,
      totals: { net: '120.00', tax: '20.40', total: '140.40', prepaid: '10.00', due: '130.40' },
      vat: [
        { category: 'S', rate: '19', base: '100.00', tax: '19.00' },
        { category: 'S', rate: '7', base: '20.00', tax: '1.40' },
      ],
      lines: [{ name: label, start: '2027-06-15', end: '2027-07-14' }, { start: undefined }],
    })
  })

  test.each([
    ['taxed', '19', 'S'],
    ['taxed', '0', 'Z'],
    ['exempt', undefined, 'E'],
    ['no_rate', undefined, 'E'],
    ['reverse_charge', undefined, 'AE'],
    ['not_registered', undefined, 'O'],
  ] as const)('gives %s lines at %s percent the category %s', (treatment, rate, category) => {
    const invoice = exampleInvoice([{ unitAmount: '100', treatment, ...(rate && { rate }) }])
    for (const document of [invoice, exampleCreditNote(invoice)]) {
      const { vat, lines, sellerVatId, buyerVatId, notes } = read(document)
      expect(vat).toMatchObject([
        { category, base: '100.00', rate: category === 'O' ? undefined : (rate ?? '0') },
      ])
      expect(lines).toMatchObject([{ category }])
      expect([sellerVatId, buyerVatId].includes(undefined)).toBe(category === 'O')
      expect(notes.includes('Reverse charge')).toBe(category === 'AE')
    }
  })

  test('has its tax in the currency in which its seller reports it, too', () => {
    expect(read(foreignInvoice())).toMatchObject({
      taxCurrency: 'EUR',
      otherTax: 'EUR 17.54',
      totals: { tax: '19.00', total: '119.00' },
    })
    expect(read(networkInvoice())).toMatchObject({ taxCurrency: undefined, otherTax: undefined })
    const waiting = { currency: 'KWD', date: '2027-06-15', converted: null }
    expect(missingForEInvoice({ ...foreignInvoice(), exchange: waiting }, 'ubl')).toEqual([
      'exchange_rate',
      'tax_currency',
    ])
  })

  test('has no untaxed line beside taxed ones, which category O forbids', () => {
    const { vat, buyerVatId } = read(
      exampleInvoice([{ unitAmount: '100', treatment: 'not_registered' }, { unitAmount: '5' }]),
    )
    expect(vat.map(({ category }) => category)).toEqual(['S', 'E'])
    expect(buyerVatId).toBe('FR40303265045')
  })

  test('of a seller in Hong Kong has its registration, its account and no postal code', () => {
    expect(read(hongKongInvoice())).toMatchObject({
      sellerRegistration: '12345678',
      buyerRegistration: '51824753556',
      sellerVatId: undefined,
      sellerLocalTaxId: undefined,
      postalCodes: [undefined, '2000'],
      account: '808123456838',
      accountName: 'Harbour Tea',
    })
  })

  test('of a seller that charges tax outside the EU has its tax id there', () => {
    const invoice = exampleInvoice([{ unitAmount: '100', rate: '10' }])
    const taxIds = [{ type: 'au_abn', value: '51824753556' } as const]
    expect(read({ ...invoice, seller: { ...invoice.seller, taxIds } })).toMatchObject({
      sellerVatId: undefined,
      sellerLocalTaxId: '51824753556',
      sellerRegistration: '51824753556',
    })
  })

  test('gives a credit a negative quantity and never a negative price (EN 16931, BR-27)', () => {
    const { lines } = read(exampleInvoice([{ unitAmount: '99.90' }, { unitAmount: '39.90', quantity: '-1' }]))
    expect(lines[1]).toMatchObject({ quantity: '-1', price: '39.9', net: '-39.90' })
  })

  test('shows a discount on its line', () => {
    const { lines } = read(exampleInvoice([{ unitAmount: '50', quantity: '2', discount: '12.75' }]))
    expect(lines).toMatchObject([{ price: '50', quantity: '2', discount: '12.75', net: '87.25' }])
  })

  test('has prices without the tax that they contain', () => {
    const examples = Array.from({ length: 3 }, () => ({ unitAmount: '9.99' }))
    const { lines, totals } = read(exampleInvoice(examples, { behavior: 'inclusive' }))
    expect(totals).toMatchObject({ net: '25.18', tax: '4.79', total: '29.97' })
    expect(lines.map(({ price }) => price)).toEqual(['8.39', '8.40', '8.39'])
  })

  test('EN16931 143: taxes that were rounded line by line stay within the tolerance of BR-CO-17', () => {
    const invoice = exampleInvoice(Array.from({ length: 3 }, () => ({ unitAmount: '1.03' })))
    const tax = Money.ofDecimal('EUR', '0.20')
    const lines = invoice.lines.map((line) => ({ ...line, tax, total: line.net.plus(tax) }))
    const total = Money.ofDecimal('EUR', '3.69')
    const { vat } = read({ ...invoice, lines, taxTotal: tax.times(3n), total, amountDue: total })
    expect(vat).toMatchObject([{ base: '3.09', tax: '0.60' }])
  })

  test('adds the rates of a country and a region, because a line has one', () => {
    const rates = [
      { name: 'GST', percentage: decimal('5') },
      { name: 'QST', percentage: decimal('9.975') },
    ]
    const invoice = exampleInvoice([{ unitAmount: '100', rate: '14.975' }])
    const { vat } = read({ ...invoice, lines: invoice.lines.map((line) => ({ ...line, rates })) })
    expect(vat).toMatchObject([{ rate: '14.975', tax: '14.98' }])
  })

  test('of a credit note names its invoice with its date, the reason and where the money went, and has positive amounts', () => {
    const invoice = exampleInvoice([{ unitAmount: '100' }], { prepaid: '20.00' })
    expect(read(exampleCreditNote(invoice))).toMatchObject({
      typeCode: '381',
      number: 'CN-2027-000007',
      correctedNumber: 'INV-2027-000042',
      correctedDate: '2027-05-31',
      notes: ['The teapot came broken', 'Refund to the card ending in 4242: 119.00 EUR'],
      totals: { total: '119.00', prepaid: '0.00', due: '119.00' },
    })
  })

  test('of a credit note that takes back from several invoices names all of them', () => {
    const note = exampleCreditNote(exampleInvoice([{ unitAmount: '100' }]))
    const document = {
      ...note,
      corrected: ['INV-1', 'INV-2', 'INV-3'].map((number) => ({ number, issueDate: '2027-05-31' })),
    }
    const references = [
      ...renderUbl(document, BERLIN).matchAll(/<cac:InvoiceDocumentReference>\s*<cbc:ID>(.*)<\/cbc:ID>/g),
    ]
    expect(references.map(([, number]) => number)).toEqual(['INV-1', 'INV-2', 'INV-3'])
    const { correctedNumber, notes } = readCii(renderCii(document, BERLIN))
    expect([correctedNumber, notes.at(-1)]).toEqual([
      'INV-1',
      'Also corrects INV-2 (2027-05-31), INV-3 (2027-05-31)',
    ])
  })

  test('of a paid invoice asks for nothing', () => {
    const invoice = exampleInvoice([{ unitAmount: '100' }])
    const paid = { ...invoice, state: 'paid' as const, amountDue: Money.zero('EUR') }
    expect(read(paid).totals).toMatchObject({ total: '119.00', prepaid: '119.00', due: '0.00' })
  })

  test('of an invoice that was written off says that nothing was paid', () => {
    const invoice = exampleInvoice([{ unitAmount: '100' }], { prepaid: '9.00' })
    const lost = { ...invoice, state: 'uncollectible' as const, amountDue: Money.zero('EUR') }
    expect(read(lost).totals).toMatchObject({ total: '119.00', prepaid: '9.00', due: '110.00' })
  })

  test('has only characters that XML allows', () => {
    const { lines } = read(
      exampleInvoice([
        { label: 'a\u0000\u0008]]>\ufffe\ud800b', unitAmount: '1' },
        { label: '', unitAmount: '1' },
        { label: ' \u0001', unitAmount: '1' },
      ]),
    )
    expect(lines.map(({ name }) => name)).toEqual(['a]]>\ufffdb', '-', '-'])
  })

  test('has no empty element, which networks refuse (PEPPOL-EN16931-R008)', () => {
    const invoice = { ...networkInvoice(), memo: ' ', purchaseOrder: '\u0001' }
    const { address } = invoice.seller
    const blank = { ...invoice, seller: { ...invoice.seller, address: { ...address, line2: ' ' } } }
    const empty = /<([a-zA-Z:]+)>\s*<\/\1>/g
    const emptyIn = (xml: string) => [...xml.matchAll(empty)].map(([, name]) => name)
    expect(emptyIn(renderUbl(blank, BERLIN, 'peppol'))).toEqual([])
    expect(renderUbl(blank, BERLIN, 'peppol')).not.toContain('OrderReference')
    // The schema of CII wants this one.
    expect(emptyIn(renderCii(blank, BERLIN))).toEqual(['ram:ApplicableHeaderTradeDelivery'])
  })

  test('mustang 239: a price of 19.95 with its tax is due as it is, without a rounding amount', () => {
    const { lines, totals } = read(exampleInvoice([{ unitAmount: '19.95' }], { behavior: 'inclusive' }))
    expect(lines).toMatchObject([{ price: '16.76', net: '16.76' }])
    expect(totals).toMatchObject({ net: '16.76', tax: '3.19', total: '19.95', due: '19.95' })
  })

  test('odoo 251155: holds the sums of EN 16931 whatever its lines are', () => {
    const line = fc.record({
      unitAmount: fc.integer({ min: 0, max: 10_000_000 }).map((units) => `${units / 10_000}`),
      quantity: fc.integer({ min: 1, max: 5_000 }).map(String),
      rate: fc.constantFrom('0', '5.5', '7', '19', '25'),
    })
    const lines = fc.array(line, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(
        lines,
        fc.constantFrom('exclusive' as const, 'inclusive' as const),
        (examples, behavior) => {
          const invoice = exampleInvoice(examples, { behavior })
          read(invoice)
          read(exampleCreditNote(invoice))
        },
      ),
    )
  })
})

test('what an electronic invoice needs and lacks is named', () => {
  const { seller, buyer, ...rest } = exampleInvoice([{ unitAmount: '100', treatment: 'reverse_charge' }])
  const without = {
    ...rest,
    seller: { ...seller, taxIds: [] },
    buyer: { ...buyer, name: ' ', address: null, taxIds: [] },
  }
  expect(missingForEInvoice(without, 'ubl')).toEqual([
    'seller.tax_ids',
    'buyer.name',
    'buyer.address',
    'buyer.tax_ids',
  ])
  const outside = exampleInvoice([{ unitAmount: '100', treatment: 'not_registered' }])
  expect(
    missingForEInvoice({ ...outside, seller: without.seller, buyer: { ...buyer, taxIds: [] } }, 'cii'),
  ).toEqual([])
  const domestic = exampleInvoice([{ unitAmount: '100' }])
  expect(missingForEInvoice({ ...domestic, buyer: { ...buyer, taxIds: [] } }, 'cii')).toEqual([])
  expect(missingForEInvoice(exampleInvoice([{ unitAmount: '100' }], { currency: 'KWD' }), 'facturx')).toEqual(
    ['currency'],
  )
})

// Proves reference/billing-documents#networks.
describe('an invoice for a network', () => {
  test.each(['peppol', 'xrechnung'] as const)(
    'needs for %s what its profile needs, and names what is missing',
    (format) => {
      const plain = exampleInvoice([{ unitAmount: '100' }])
      const isGerman = format === 'xrechnung'
      expect(missingForEInvoice(plain, format)).toEqual([
        'seller.electronic_address',
        'buyer.electronic_address',
        'buyer_reference',
        ...(isGerman ? ['seller.contact'] : []),
      ])
      expect(missingForEInvoice(networkInvoice(), format)).toEqual([])
      const ordered = { ...networkInvoice(), buyerReference: null }
      expect(missingForEInvoice(ordered, format)).toEqual(isGerman ? ['buyer_reference'] : [])
      expect(missingForEInvoice({ ...ordered, purchaseOrder: null }, format)).toEqual(['buyer_reference'])
    },
  )

  test('is not sent by Peppol to an e-mail address', () => {
    const invoice = networkInvoice()
    const electronicAddress = { scheme: 'EM', value: 'bills@cafe.example' }
    const mailed = { ...invoice, buyer: { ...invoice.buyer, electronicAddress } }
    expect(missingForEInvoice(mailed, 'peppol')).toEqual(['buyer.electronic_address'])
    expect(missingForEInvoice(mailed, 'xrechnung')).toEqual([])
  })

  test('between Germans needs in Peppol what XRechnung needs', () => {
    const invoice = networkInvoice()
    const { contact: _, ...seller } = invoice.seller
    const german = { ...invoice, seller, buyer: { ...invoice.buyer, address: invoice.seller.address } }
    expect(missingForEInvoice(german, 'peppol')).toEqual(['seller.contact'])
  })

  const both = (country: string, members: Partial<Invoice> = {}): Invoice => {
    const { seller, buyer, ...invoice } = networkInvoice()
    const address = { ...seller.address, country }
    const taxIds = [{ type: 'vat', value: 'DK13585628' } as const]
    return {
      ...invoice,
      seller: { ...seller, address, taxIds },
      buyer: { ...buyer, address, taxIds },
      ...members,
    }
  }

  test('between Danes has their numbers of the register, no id without a scheme, and a code that they take', () => {
    const invoice = both('DK', { currency: 'DKK' })
    const xml = renderUbl(invoice, BERLIN, 'peppol')
    expect(xml).not.toContain('PartyIdentification')
    expect(xml.match(/<cbc:CompanyID schemeID="0184">13585628</g)).toHaveLength(2)
    expect(xml).toContain('<cbc:PaymentMeansCode>1<')
    const german = renderUbl({ ...invoice, seller: networkInvoice().seller }, BERLIN, 'peppol')
    expect(german).toContain('<cbc:PaymentMeansCode>30<')
    expect(german.match(/PartyIdentification>/g)).toHaveLength(4)
  })

  test('between Dutch needs an account, and its credit note says nothing of means of payment', () => {
    const invoice = both('NL')
    const without = { ...invoice, seller: { ...invoice.seller, bank: null } }
    expect(missingForEInvoice(without, 'peppol')).toEqual(['seller.bank'])
    expect(missingForEInvoice(without, 'ubl')).toEqual([])
    expect(missingForEInvoice(exampleCreditNote(without), 'peppol')).toEqual([])
    expect(renderUbl(exampleCreditNote(invoice), BERLIN, 'peppol')).not.toContain('PaymentMeans')
  })

  test('from an Icelandic seller has the numbers of the register, which electronic addresses of 0196 have', () => {
    const plain = both('IS')
    expect(missingForEInvoice(plain, 'peppol')).toEqual(['seller.kennitala', 'buyer.kennitala'])
    expect(missingForEInvoice(plain, 'xrechnung')).not.toContain('seller.kennitala')
    const electronicAddress = { scheme: '0196', value: '5402696029' }
    const seller = { ...plain.seller, electronicAddress }
    expect(missingForEInvoice({ ...plain, seller }, 'peppol')).toEqual(['buyer.kennitala'])
    const abroad = { ...plain, seller, buyer: networkInvoice().buyer }
    expect(missingForEInvoice(abroad, 'peppol')).toEqual([])
    expect(renderUbl(abroad, BERLIN, 'peppol')).toContain('<cbc:CompanyID schemeID="0196">5402696029<')
    const foreign = { ...abroad, seller: { ...networkInvoice().seller, electronicAddress } }
    expect(renderUbl(foreign, BERLIN, 'peppol')).not.toContain('<cbc:CompanyID schemeID="0196">')
  })

  test('from a Greek seller lacks the mark of the tax office in Peppol', () => {
    const { seller, ...invoice } = networkInvoice()
    const taxIds = [{ type: 'vat', value: 'EL094259216' } as const]
    expect(missingForEInvoice({ ...invoice, seller: { ...seller, taxIds } }, 'peppol')).toEqual(['mark'])
    expect(missingForEInvoice({ ...both('GR'), buyer: invoice.buyer }, 'peppol')).toEqual(['mark'])
    expect(missingForEInvoice(both('GR'), 'ubl')).toEqual([])
  })

  test.each([
    ['peppol', 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'],
    ['xrechnung', 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'],
  ] as const)(
    'says in %s which profile it has, one note, and between Germans means of payment in a credit note too',
    (format, profile) => {
      const invoice = both('DE')
      const note = { ...exampleCreditNote(invoice), notes: ['a', 'b'] }
      for (const document of [invoice, note]) {
        const xml = renderUbl(document, BERLIN, format)
        expect(xml).toContain(`<cbc:CustomizationID>${profile}</cbc:CustomizationID>`)
        expect(xml).toContain('<cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>')
        expect(xml).toContain('<cac:PaymentMeans>')
        expectSumsOfEn16931(readUbl(xml))
      }
      expect(readUbl(renderUbl(note, BERLIN, format)).notes).toHaveLength(1)
    },
  )

  test('says in both syntaxes where it goes, whom to ask, and what the buyer finds it by', () => {
    expect(read(networkInvoice())).toMatchObject({
      endpoints: ['9930 DE136695976', '0009 40303265045'],
      contact: ['Ada Söhne', '+49 40 123456', 'invoices@tea.example'],
      buyerReference: '04011000-12345-03',
      purchaseOrder: 'PO-7',
    })
  })
})
