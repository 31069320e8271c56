import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import { spreadsheet as spreadsheetOf } from '#platform/http/spreadsheets/spreadsheet'
import { readPage } from '#platform/http/validation/list'
import { followUp, newOrder, pay, TRANSACTION_COLUMNS } from '../../payments/testing/fixture.ts'
import { createFixture } from '../testing/fixture.ts'

const TRANSFER = { paymentMethod: 'bank_transfer', recordedBy: 'bank' } as const

const CURRENCY = 'HKD'
const FIRST_DAY = -95
const LAST_DAY = 8

interface Moved {
  readonly id: string
  readonly orderId: string
  readonly amount: number
  readonly day: string
}

/** What a day should show, computed from what the test did and not from what was stored. */
class Books {
  readonly #days = new Map<string, { paid: number; refunded: number }>()

  add(day: string, paid: number, refunded = 0): void {
    const before = this.#days.get(day) ?? { paid: 0, refunded: 0 }
    this.#days.set(day, { paid: before.paid + paid, refunded: before.refunded + refunded })
  }

  get days() {
    return [...this.#days]
      .filter(([, { paid, refunded }]) => paid !== 0 || refunded !== 0)
      .map(([date, { paid, refunded }]) => ({ date, paid_total: paid, refunded_total: refunded }))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1))
  }

  netOf(from: string, to: string): number {
    return this.days
      .filter(({ date }) => from <= date && date <= to)
      .reduce((sum, day) => sum + day.paid_total - day.refunded_total, 0)
  }
}

const action = fc.record({
  kind: fc.constantFrom('transfer', 'transfer', 'undo', 'return', 'pay', 'refund', 'void', 'wait'),
  amount: fc.integer({ min: 1, max: 900 }),
  which: fc.nat(),
  days: fc.integer({ min: 0, max: 90 }),
})

// Proves reference/reports#days, reference/payments#value-dates, reference/conventions#spreadsheets.
test.each(['Asia/Hong_Kong', 'America/St_Johns', 'Pacific/Chatham'])(
  'days, totals and files are the sums of what moved by value date, in %s',
  async (timeZone) => {
    const fixture = await createFixture({ timeZone, currency: CURRENCY })
    const { db, payments, openMerchant, fold, overview, totals, breaches } = fixture
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 12 }), async (actions) => {
        const merchant = await openMerchant()
        const { businessId, caller } = merchant
        const books = new Books()
        const transfers: Moved[] = []
        const cards: (Moved & { left: number })[] = []
        const today = async () => localDateOf(await db.transact(businessId, async (tx) => tx.now), timeZone)
        const start = await today()
        const locking = <Result>(
          orderId: string,
          work: (locked: Awaited<ReturnType<typeof payments.lockOrdersForTransfers>>) => Promise<Result>,
        ) => db.transact(businessId, async (tx) => work(await payments.lockOrdersForTransfers(tx, [orderId])))
        const take = <One>(list: One[], which: number) => list.splice(which % Math.max(1, list.length), 1)[0]
        for (const { kind, amount, which, days } of actions) {
          const now = await today()
          if (kind === 'wait') await fixture.advance(businessId, { hours: 9 })
          if (kind === 'transfer') {
            const { number: orderId } = await newOrder(fixture, merchant, { initial_total: 1_000 })
            const day = now.subtract({ days }).toString()
            const money = Money.ofMinor(CURRENCY, BigInt(amount) * 100n)
            const [booked] = await locking(orderId, ({ book }) =>
              book([{ orderId, amount: money, valueDate: day, reference: 'B', ...TRANSFER }]),
            )
            const id = booked?.transactionId ?? ''
            transfers.push({ id, orderId, amount, day })
            books.add(day, amount)
          }
          if (kind === 'undo' || kind === 'return') {
            const transfer = take(transfers, which)
            if (transfer === undefined) continue
            const { orderId, id: transactionId } = transfer
            const sinceDays = Temporal.PlainDate.from(transfer.day).until(now, { largestUnit: 'days' }).days
            const back = Temporal.PlainDate.from(transfer.day)
              .add({ days: days % (sinceDays + 1) })
              .toString()
            const returnedOn = kind === 'return' ? back : null
            await locking(orderId, ({ undo }) => undo([{ orderId, transactionId, note: 'back', returnedOn }]))
            if (kind === 'undo') books.add(transfer.day, -transfer.amount)
            else books.add(back, 0, transfer.amount)
          }
          if (kind === 'pay') {
            const { number: orderId } = await newOrder(fixture, merchant, { initial_total: amount })
            const { transaction } = await pay(fixture, merchant, orderId)
            expect(transaction.value_date).toBe(now.toString())
            cards.push({ id: transaction.uuid, orderId, amount, day: now.toString(), left: amount })
            books.add(now.toString(), amount)
          }
          if (kind === 'refund') {
            const card = take(cards, which)
            if (card === undefined) continue
            const part = 1 + (amount % card.left)
            await followUp(fixture, merchant, 'refund', card.id, { amount: part })
            books.add(now.toString(), 0, part)
            if (card.left > part) cards.push({ ...card, left: card.left - part })
          }
          if (kind === 'void') {
            // What was made on this very day is not settled, and what was refunded in part cannot be voided.
            const index = cards.findIndex(
              ({ day, left, amount: whole }) => day === now.toString() && left === whole,
            )
            const [card] = index < 0 ? [] : cards.splice(index, 1)
            if (card === undefined) continue
            await followUp(fixture, merchant, 'voidTransaction', card.id)
            books.add(card.day, -card.amount)
          }
          if (which % 3 === 0) await fold(businessId)
        }
        expect(await breaches(businessId)).toEqual([])
        await fold(businessId)
        const range = {
          from: start.add({ days: FIRST_DAY }).toString(),
          to: start.add({ days: LAST_DAY }).toString(),
        }
        const found = await overview(caller, { ...range, currency: CURRENCY })
        const shown = found.days
          .filter((day) => day.paid_total !== 0 || day.refunded_total !== 0)
          .map(({ date, paid_total, refunded_total }) => ({ date, paid_total, refunded_total }))
        expect(shown).toEqual(books.days)
        expect(await breaches(businessId)).toEqual([])
        const page = await payments.transactionsPage(caller, undefined, readPage('transactions', {}))
        const dates = new Map(page.transactions.map((one) => [one.uuid, one.value_date]))
        for (const { id, day } of [...transfers, ...cards]) expect(dates.get(id)).toBe(day)
        const half = start.subtract({ days: 30 }).toString()
        for (const part of [range, { from: range.from, to: half }, { from: half, to: range.to }]) {
          const [sums] = (await totals(caller, { ...part, currency: CURRENCY })).currencies
          expect(sums?.net_total).toBe(books.netOf(part.from, part.to))
          const { pages } = await payments.transactionRows(caller, part)
          const query = { columns: 'counted_amount' }
          const { content } = await spreadsheetOf('transactions', TRANSACTION_COLUMNS, query, pages)
          const lines = (await Array.fromAsync(content)).join('').split('\r\n').slice(1, -1)
          const sum = lines.reduce((total, line) => total + Number(line), 0)
          expect(sum).toBe(books.netOf(part.from, part.to))
        }
      }),
      { numRuns: 8 },
    )
  },
  240_000,
)

test('counted_at is the real time at which a day of the range last changed', async () => {
  const fixture = await createFixture({ currency: CURRENCY })
  const { openMerchant, fold, overview, totals } = fixture
  const merchant = await openMerchant()
  expect(await totals(merchant.caller, { period: 'today' })).toMatchObject({ counted_at: null })
  expect(await overview(merchant.caller)).toMatchObject({ counted_at: null })
  const { number: orderId } = await newOrder(fixture, merchant)
  await pay(fixture, merchant, orderId)
  const before = Temporal.Now.instant()
  await fold(merchant.businessId)
  const { counted_at: countedAt, days } = await overview(merchant.caller)
  // The clock of the business stands days later.
  expect(
    Temporal.Instant.from(countedAt ?? '')
      .since(before)
      .total('seconds'),
  ).toBeLessThan(60)
  expect(days.map((day) => day.counted_at)).toEqual([null, null, countedAt])
  const late = await newOrder(fixture, merchant)
  const { date = '' } = days[0] ?? {}
  const valueDate = Temporal.PlainDate.from(date).subtract({ days: 40 }).toString()
  await fixture.db.transact(merchant.businessId, async (tx) => {
    const locked = await fixture.payments.lockOrdersForTransfers(tx, [late.number])
    await locked.book([
      {
        orderId: late.number,
        amount: Money.ofMinor(CURRENCY, 100n),
        valueDate,
        reference: null,
        ...TRANSFER,
      },
    ])
  })
  await fold(merchant.businessId)
  const march = await totals(merchant.caller, { from: valueDate, to: valueDate })
  expect(march.counted_at ?? '' > (countedAt ?? '')).toBeTruthy()
  expect(march.currencies).toMatchObject([{ currency: CURRENCY, paid_total: 1 }])
  expect((await overview(merchant.caller)).counted_at).toBe(countedAt)
})
