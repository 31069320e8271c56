import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import type { Money } from '#kernel/money'
import { verifyPayments } from '../../payments/testing/fixture.ts'
import { CARDS, createFixture } from '../../billing/testing/fixture.ts'
import { inJson, openInvoiceShop } from '../../billing/testing/invoices.ts'
import { camt053 } from '../testing/camt.ts'
import { bankTransfersOf, verifyBankTransfers } from '../testing/fixture.ts'

// Proves reference/billing-reports#taxes, reference/billing-reports#open-items, reference/payments#value-dates.

let timeZone = 'Asia/Hong_Kong'
const fixture = await createFixture({ timeZone: () => timeZone })
const { customers, db, invoices, payments, recurring } = fixture
const transfers = bankTransfersOf(
  { ...fixture.shared, customers, invoices, payments },
  recurring.addMovedCredit,
)

const failed = new Set<string>()
fixture.shared.acquirers.laterFailure = async (_tx, _account, { key }) =>
  failed.has(key) ? { responseCode: 'failed', responseMessage: 'Failed' } : null

const START = '2031-01-10T11:30:00Z'
const YEAR = { from: '2030-12-01', to: '2032-12-31' }
const ZONES = ['Asia/Hong_Kong', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati'] as const
const DIGITS = { EUR: 2, JPY: 0, BHD: 3 } as const
const CURRENCIES = ['EUR', 'JPY', 'BHD'] as const
const AUSTRIAN = {
  address: { line1: 'Ring 1', postal_code: '1010', city: 'Wien', country: 'AT' },
  tax_ids: [{ type: 'vat' as const, value: 'ATU13585627' }],
}
const GERMAN = {
  address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
  tax_ids: [],
}

const ACCOUNTS = { receivables: '1400', bank: '1200', cash: '1000', fees: '4970', disputes: '1361' }

/** A dispute that holds money, and what its last change moved. */
interface Held {
  readonly disputeId: string
  readonly orderNumber: string
  readonly transactionId: string
  readonly amount: Money
  readonly state: 'none' | 'open' | 'lost'
}

/** - `date`: The first open day from that of the change. */
interface Booked {
  readonly date: string
  readonly amount: Money
}

const act = fc.record({
  kind: fc.constantFrom(
    ...([
      'invoice',
      'invoice',
      'transfer',
      'transfer',
      'by hand',
      'by hand',
      'undo',
      'repay',
      'move',
    ] as const),
    ...(['note', 'reissue', 'write off', 'card', 'refund', 'change', 'move house', 'wait', 'wait'] as const),
    ...(['void', 'void payment', 'credit', 'rates', 'unmatch', 'return'] as const),
    ...(['dispute', 'lose', 'lose', 'win', 'win', 'close', 'fail later', 'fail later'] as const),
  ),
  nth: fc.nat(),
  share: fc.integer({ min: 1, max: 130 }),
  currency: fc.constantFrom(...CURRENCIES),
  days: fc.integer({ min: 0, max: 40 }),
})

/** What the state of the objects forbids is refused. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RequestError && [402, 409, 422].includes(error.status)) return undefined
    throw error
  }
}

/** The bank takes back what `transfer` brought. */
function returnOf(
  { amount, bank_reference: reference }: { readonly amount: unknown; readonly bank_reference: string | null },
  day: Temporal.PlainDate,
) {
  return {
    amount: Number(amount).toFixed(2),
    date: day.toString(),
    direction: 'DBIT' as const,
    reversal: true,
    reference: `R-${reference}`,
    details: [{ endToEndId: `E2E-${reference}`, returned: true }],
  }
}

/** In thousandths, because numbers of JSON have binary fractions and BHD three digits. */
const sumOf = (amounts: readonly unknown[]) =>
  amounts.reduce<number>((sum, amount) => sum + Math.round(Number(amount) * 1_000), 0)

test('after a random year taxes are those of documents, open items what is due of them, and value dates the bank’s', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.constantFrom(null, 'EUR', 'USD'),
      fc.constantFrom(null, 3),
      fc.array(act, { minLength: 5, maxLength: 40 }),
      async (zone, sellersCurrency, gracePeriod, acts) => {
        timeZone = zone
        const opened = await openInvoiceShop(fixture, START)
        const { caller, customer, entity, shop, taxes, documents } = opened
        await taxes.editEntity(caller, entity.id, { currency: sellersCurrency })
        await taxes.editSettings(caller, { write_off_up_to: { EUR: 300, JPY: 300 }, accounts: ACCOUNTS })
        const token = await shop.bind(customer, CARDS.good)
        const { id: planId } = await opened.plan([await opened.price(60)], {
          invoicing: { collection: 'send_invoice', days_until_due: 5 },
          grace_period: gracePeriod,
        })
        await shop.advance(shop.now.toString())
        const today = () => shop.now.toZonedDateTimeISO(zone).toPlainDate()
        const all = () => documents()
        const held: Held[] = []
        const booked: Booked[] = []
        const closed: { readonly until: string; readonly file: string }[] = []
        /** Connects modules as `compose.ts` does. */
        const turnDispute = async ({ state, amount, ...dispute }: Held, to: Held['state'] | 'won') => {
          const of = (states: readonly string[], now: string) => (states.includes(now) ? amount : null)
          const change = (states: readonly string[]) => ({
            ...dispute,
            before: of(states, state),
            taken: of(states, to),
            lost: of(states, to),
          })
          const taken = change(['open', 'lost'])
          if (taken.before !== taken.taken) {
            const firstOpen = Temporal.PlainDate.from(closed.at(-1)?.until ?? YEAR.from).add({ days: 1 })
            const date = [today().toString(), firstOpen.toString()].toSorted()[1] ?? ''
            booked.push({ date, amount: to === 'won' ? amount : amount.negated() })
          }
          await db.transact(caller.businessId, async (tx) => {
            if (taken.before !== taken.taken) await payments.recordDisputed(tx, taken)
            const lost = change(['lost'])
            if (lost.before === lost.lost) return
            await payments.recordLost(tx, lost)
            await recurring.handleLostDispute(tx, lost)
          })
          if (to !== 'won') held.push({ ...dispute, amount, state: to })
        }
        /** The rows of the bank account in days before `until`, which is the last. */
        const bankUntil = async (until: string) => {
          const from = Temporal.PlainDate.from(until).subtract({ days: 10 }).toString()
          return (
            await invoices.export(caller, { format: 'xero', records: 'bank', from, to: until })
          ).toString('utf8')
        }
        for (const [index, { kind, nth, share, currency, days }] of acts.entries()) {
          const issued = (await all()).filter(({ type }) => type === 'invoice')
          const chosen = issued[nth % Math.max(1, issued.length)]
          const amountOf = (whole: unknown, digits: number) =>
            Number(
              (Math.max(1, Math.floor((Number(whole) * 10 ** digits * share) / 100)) / 10 ** digits).toFixed(
                digits,
              ),
            )
          const digits = DIGITS[(chosen?.currency ?? 'EUR') as keyof typeof DIGITS]
          const due = Number(chosen?.amount_due ?? 0)
          const part = amountOf(due > 0 ? due : chosen?.total, digits)
          const payment = (chosen?.payments ?? []).at(-1)
          if (kind === 'wait') await shop.advance(shop.now.add({ hours: 24 * days + 7 }).toString())
          else if (kind === 'rates' && sellersCurrency !== null)
            await taxes.putExchangeRates(
              caller,
              CURRENCIES.filter((quote) => quote !== sellersCurrency).map((quote) => ({
                date: today()
                  .subtract({ days: days % 8 })
                  .toString(),
                base: sellersCurrency,
                quote,
                rate: Number((share / 7).toFixed(12)),
              })),
            )
          else if (kind === 'win') {
            const won = held.pop()
            if (won !== undefined) await turnDispute(won, 'won')
          } else if (kind === 'close') {
            const until = today().subtract({ days }).toString()
            if (until > (closed.at(-1)?.until ?? '')) {
              await taxes.editSettings(caller, { locked_until: until })
              closed.push({ until, file: await bankUntil(until) })
            }
          } else if (kind === 'unmatch' || kind === 'return') {
            const matched = inJson(await transfers.entries(caller, 'state = matched'))
            const entry = matched[nth % Math.max(1, matched.length)]
            if (entry !== undefined && kind === 'unmatch')
              await attempt(() => transfers.unmatch(caller, entry.id))
            if (entry?.currency === 'EUR' && kind === 'return')
              await transfers.import(caller, {
                format: 'camt053',
                content: camt053([returnOf(entry, today())]),
              })
          } else if (kind === 'credit')
            await attempt(() => recurring.credit(caller, planId, { amount: share / 4, note: 'Gift' }))
          else if (kind === 'invoice')
            await attempt(() =>
              invoices.create(caller, {
                customer_uuid: customer,
                currency,
                lines: [
                  { label: 'A', quantity: 1, unit_amount: amountOf(1_234, DIGITS[currency]) },
                  { label: 'B', quantity: 3, unit_amount: amountOf(7, DIGITS[currency]) },
                ],
                collection: 'send_invoice',
                days_until_due: days,
              }),
            )
          else if (kind === 'move house')
            await taxes.editDetails(caller, customer, share > 65 ? AUSTRIAN : GERMAN)
          else if (kind === 'change') {
            const price = await opened.price(30 + share)
            await attempt(() =>
              recurring.change(caller, planId, {
                recurring_items: [{ recurring_item_id: price, quantity: 1 }],
              }),
            )
          } else if (chosen !== undefined) {
            const { id, order_number: order } = chosen
            const valueDate = today().subtract({ days }).toString()
            if (kind === 'transfer') {
              const transferred = { amount: part.toFixed(digits), reference: `T${index}` }
              const { number: remittance } = chosen
              const header = 'booking_date,amount,currency,debtor_name,bank_reference,remittance'
              const row = `${valueDate},${transferred.amount},${chosen.currency},Ada,T${index},${remittance}`
              const details = [{ endToEndId: `E2E-T${index}`, debtorName: 'Ada', remittance }]
              await transfers.import(
                caller,
                chosen.currency === 'EUR'
                  ? {
                      format: 'camt053',
                      content: camt053([{ ...transferred, date: valueDate, details }]),
                    }
                  : { format: 'csv', content: `${header}\n${row}` },
              )
            }
            if (kind === 'by hand')
              await attempt(() =>
                transfers.pay(caller, id, { method: 'cash', amount: part, value_date: valueDate }),
              )
            if (kind === 'undo' && payment !== undefined)
              await attempt(() => transfers.undo(caller, payment.transaction_uuid))
            if (kind === 'repay')
              await attempt(() => transfers.repay(caller, order, { value_date: valueDate }))
            if (kind === 'move') await attempt(() => transfers.moveOverpayment(caller, order, planId))
            if (kind === 'note')
              await attempt(() =>
                invoices.creditNote(caller, id, {
                  amount: amountOf(chosen.total, digits),
                  reason: 'Less',
                  refund: share > 65 ? 'credit' : 'none',
                }),
              )
            if (kind === 'void') await attempt(() => shop.voidOrder(order))
            if (kind === 'void payment' && payment !== undefined)
              await attempt(() =>
                payments.voidTransaction(caller, { transaction: { uuid: payment.transaction_uuid } }),
              )
            const ofOrder = async () => {
              const found = await db.transact(caller.businessId, (tx) => payments.findOrders(tx, [order]))
              return found.get(order)?.transactions ?? []
            }
            const open = held.findIndex(({ state }) => state === 'open')
            const [undecided] = kind === 'lose' && open >= 0 ? held.splice(open, 1) : []
            if (undecided !== undefined) await turnDispute(undecided, 'lost')
            else if (kind === 'lose' || kind === 'dispute') {
              const disputed = (await ofOrder()).find(
                ({ acquirerName, state, type }) =>
                  acquirerName === 'simulator' && state === 'succeeded' && type === 'Sales',
              )
              if (disputed !== undefined) {
                const amount = disputed.amount.prorate(BigInt(Math.min(share, 100)), 100n)
                const dispute = { disputeId: `dsp_${index}`, orderNumber: order, transactionId: disputed.id }
                await turnDispute({ ...dispute, amount, state: 'none' }, kind === 'lose' ? 'lost' : 'open')
              }
            }
            if (kind === 'fail later') {
              const taken = (await ofOrder()).filter(
                ({ acquirerName, state }) => acquirerName === 'simulator' && state === 'succeeded',
              )
              const { id: key = '' } = taken[nth % Math.max(1, taken.length)] ?? {}
              failed.add(key)
              const subject = { kind: 'failure', reference: 'PSP1', key } as const
              await db.transact(caller.businessId, (tx) =>
                payments.handleNotice(tx, { accountId: 'simulator', subject }),
              )
            }
            if (kind === 'reissue') await attempt(() => invoices.reissue(caller, id, undefined))
            if (kind === 'write off')
              await attempt(() => transfers.writeOff(caller, id, { amount: part, reason: 'Cents' }))
            if (kind === 'card') await attempt(() => shop.pay(order, token, { amount: part }))
            if (kind === 'refund' && payment !== undefined)
              await attempt(() =>
                payments.refund(caller, { transaction: { uuid: payment.transaction_uuid }, amount: part }),
              )
          }
        }

        const found = await all()
        const report = (path: string, query: object) => invoices.report(caller, path, query)
        const { taxes: rows = [] } = await report('taxes', YEAR)
        const { rows: lines = [] } = await report('taxes/rows', YEAR)
        for (const currency of CURRENCIES) {
          const ofCurrency = found.filter((one) => one.currency === currency)
          const signed = ofCurrency.map(({ type, tax_total: tax }) =>
            type === 'invoice' ? tax : -Number(tax),
          )
          const taxOf = (some: typeof rows) =>
            sumOf(some.flatMap((row) => (row['currency'] === currency ? [row['tax']] : [])))
          expect(taxOf(rows)).toBe(sumOf(signed))
          expect(taxOf(lines)).toBe(sumOf(signed))
        }
        const taxesInOwn = (some: typeof rows) =>
          sumOf(some.flatMap((row) => row['tax_in_tax_currency'] ?? []))
        const ownTaxes = sumOf(
          found.map(({ type, tax_total_in_tax_currency: tax = 0 }) =>
            type === 'invoice' ? tax : -Number(tax),
          ),
        )
        expect(taxesInOwn(rows)).toBe(ownTaxes)
        expect(taxesInOwn(lines)).toBe(ownTaxes)
        // Only a repayment beyond what is over-paid makes it negative.
        expect(found.filter(({ overpaid = 0 }) => Number(overpaid) < 0)).toEqual([])
        const { open: items = [] } = await report('open', {})
        const dues = found.flatMap(({ type, number, amount_due: due }) =>
          type === 'invoice' && Number(due) > 0 ? [[number, due] as const] : [],
        )
        expect(new Map(items.map(({ number, due }) => [number, due]))).toEqual(new Map(dues))
        const columns = 'type,currency,tax_total,amount_due,tax_total_in_tax_currency'
        const [, ...sheet] = await invoices.spreadsheet(caller, { ...YEAR, columns })
        const cells = sheet.filter((line) => line !== '').map((line) => line.split(','))
        const sumOfColumn = (column: number, currency?: string) =>
          sumOf(
            cells.filter((row) => currency === undefined || row[1] === currency).map((row) => row[column]),
          )
        for (const currency of CURRENCIES) {
          const ofCurrency = items.filter((item) => item['currency'] === currency)
          expect(sumOfColumn(3, currency)).toBe(sumOf(ofCurrency.map(({ due }) => due)))
          const ofTaxes = rows.filter((row) => row['currency'] === currency)
          expect(sumOfColumn(2, currency)).toBe(sumOf(ofTaxes.map(({ tax }) => tax)))
        }
        expect(sumOfColumn(4)).toBe(ownTaxes)
        for (const at of [YEAR.to, today().toString(), today().subtract({ days: 20 }).toString()]) {
          const { open: past = [] } = await report('open', { at })
          const { rows: parts = [] } = await report('open/rows', { at })
          const { ages = [] } = await report('open/ages', { at })
          expect(sumOf(parts.map(({ amount }) => amount))).toBe(sumOf(past.map(({ due }) => due)))
          expect(sumOf(ages.map(({ due }) => due))).toBe(sumOf(past.map(({ due }) => due)))
        }
        const entries = inJson(await transfers.entries(caller, 'state = matched'))
        const valueDates = new Map(
          found.flatMap(({ payments: paid = [] }) =>
            paid.map(({ reference, value_date: date }) => [reference, date] as const),
          ),
        )
        for (const { bank_reference: reference, booking_date: date, counted_on: later } of entries)
          expect([reference, valueDates.get(reference)]).toEqual([reference, later ?? date])
        expect(await Promise.all(closed.map(({ until }) => bankUntil(until)))).toEqual(
          closed.map(({ file }) => file),
        )
        for (const date of new Set(booked.map((one) => one.date))) {
          const day = { from: date, to: date }
          const file = await invoices.export(caller, { format: 'xero', records: 'bank', ...day })
          const moved = file.toString('utf8').split('\r\n')
          const inFile = moved.flatMap((row) => (row.includes(',Dispute') ? (row.split(',')[1] ?? '') : []))
          const onDay = booked.flatMap((one) => (one.date === date ? one.amount.toString() : []))
          expect(new Set(inFile)).toEqual(new Set(onDay))
          expect(sumOf(inFile)).toBe(sumOf(onDay))
          const totals = await db.transact(caller.businessId, (tx) => payments.disputedDays(tx, day))
          const inMinorUnits = booked.flatMap((one) => (one.date === date ? -one.amount.minor : []))
          expect(totals.reduce((sum, { taken }) => sum + taken, 0n)).toBe(
            inMinorUnits.reduce((sum, minor) => sum + minor, 0n),
          )
        }
        const own = [verifyBankTransfers(db), verifyPayments(db)].map((verify) =>
          Array.fromAsync(verify(caller.businessId)),
        )
        expect([...(await shop.breaches()), ...(await Promise.all(own)).flat()]).toEqual([])
      },
    ),
    { numRuns: Number(process.env['YEAR_RUNS'] ?? 4) },
  )
}, 300_000)
