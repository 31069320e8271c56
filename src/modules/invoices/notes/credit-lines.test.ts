import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Money, sumMoney } from '#kernel/money'
import { type CreditableLine, creditLines, leftOf, type LineAmount, shareOverLines } from './credit-lines.ts'

// Proves reference/billing-invoices#credit-notes.
const EUR = (text: string) => Money.ofDecimal('EUR', text)
const cents = (minor: number) => Money.ofMinor('EUR', BigInt(minor))

function line(id: string, net: string, tax: string): CreditableLine {
  return { id, total: EUR(net).plus(EUR(tax)), tax: EUR(tax), credited: EUR('0'), creditedTax: EUR('0') }
}

function after(lines: readonly CreditableLine[], amounts: readonly LineAmount[]): CreditableLine[] {
  const credited = new Map(creditLines(lines, amounts).map((share) => [share.lineId, share]))
  return lines.map((before) => {
    const share = credited.get(before.id)
    if (share === undefined) return before
    return {
      ...before,
      credited: before.credited.plus(share.total),
      creditedTax: before.creditedTax.plus(share.tax),
    }
  })
}

test('lago-api 2643: 334.99 of four lines at 20 % are notes of 82.00, 81.99, 69.00 and 102.00', () => {
  let lines = [
    line('a', '68.33', '13.67'),
    line('b', '68.33', '13.66'),
    line('c', '57.50', '11.50'),
    line('d', '85.00', '17.00'),
  ]
  const notes = lines.map(({ id, total }) => {
    const amounts = [{ lineId: id, amount: total }]
    const [note] = creditLines(lines, amounts)
    lines = after(lines, amounts)
    return [note?.total.toString(), note?.tax.toString()]
  })
  expect(notes).toEqual([
    ['82.00', '13.67'],
    ['81.99', '13.66'],
    ['69.00', '11.50'],
    ['102.00', '17.00'],
  ])
})

test('an amount goes over the lines by what is left of each', () => {
  const lines = [
    line('a', '100.00', '19.00'),
    { ...line('b', '200.00', '38.00'), credited: EUR('119.00'), creditedTax: EUR('19.00') },
  ]
  expect(creditLines(lines, shareOverLines(lines, EUR('100.00')))).toEqual([
    { lineId: 'a', total: EUR('50.00'), tax: EUR('7.98') },
    { lineId: 'b', total: EUR('50.00'), tax: EUR('7.98') },
  ])
})

test('lago-api 4313: a prorated line is rounded before its tax, and its notes are neither a cent more nor less', () => {
  const net = EUR('200.00').prorate(29n, 30n)
  const tax = net.prorate(25n, 100n)
  let lines = [line('a', net.toString(), tax.toString())]
  expect(lines[0]?.total.toString()).toBe('241.66')
  const notes = ['80.55', '80.55', '80.56'].map((amount) => {
    const amounts = [{ lineId: 'a', amount: EUR(amount) }]
    const [note] = creditLines(lines, amounts)
    lines = after(lines, amounts)
    return note?.tax.toString()
  })
  expect(notes).toEqual(['16.11', '16.11', '16.11'])
  expect(lines[0]).toMatchObject({ credited: EUR('241.66'), creditedTax: EUR('48.33') })
})

const lineOf = fc.record({
  net: fc.integer({ min: -5_000, max: 50_000 }),
  rate: fc.integer({ min: 0, max: 30 }),
})

test('lago-api 4411, 4553: all notes together are the invoice, whatever their amounts and whatever the signs of its lines', () => {
  fc.assert(
    fc.property(
      fc.array(lineOf, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 8 }),
      (specs, amounts) => {
        let lines = specs.map(({ net, rate }, index): CreditableLine => {
          const tax = cents(net).prorate(BigInt(rate), 100n)
          return {
            id: String(index),
            total: cents(net).plus(tax),
            tax,
            credited: cents(0),
            creditedTax: cents(0),
          }
        })
        const invoice = lines
        const left = () => sumMoney('EUR', lines.map(leftOf))
        fc.pre(left().isPositive())
        for (const minor of [...amounts, Number.MAX_SAFE_INTEGER]) {
          const amount = cents(minor).lessThan(left()) ? cents(minor) : left()
          const shares = shareOverLines(lines, amount)
          expect(
            sumMoney(
              'EUR',
              shares.map((share) => share.amount),
            ),
          ).toEqual(amount)
          for (const [index, share] of shares.entries()) {
            const rest = leftOf(lines[index] ?? line('', '0', '0')).abs()
            expect(share.amount.abs().greaterThan(rest)).toBe(false)
          }
          lines = after(lines, shares)
        }
        expect(left().isZero()).toBe(true)
        expect(lines.map(({ credited, creditedTax }) => [credited, creditedTax])).toEqual(
          invoice.map(({ total, tax }) => [total, tax]),
        )
      },
    ),
  )
})
