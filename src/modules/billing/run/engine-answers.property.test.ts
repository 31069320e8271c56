import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startReceiver } from '#platform/testing/receiver'
import { createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

const fixture = await createFixture()
const START = '2031-06-15T02:00:00Z'
const RUNS = 100

interface Question {
  readonly kind: string
  readonly lines: readonly {
    readonly id: string
    readonly amount: number
    readonly tax_behavior: 'exclusive' | 'inclusive'
  }[]
}

const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values)
const percentages = oneOf(0, 5, 9.975, 10, 19, 100)
const wrongPercentages = oneOf<unknown>(-10, -0.01, 100.01, 1e6, 1e300, 1.1234567, '10', null, [10])
/** In cents, beside the exact tax without its fraction. */
const roundings = oneOf(0n, 1n)
const wrongRoundings = oneOf(-100_000n, -1n, 2n, 90_000_000_000_000n, 10n ** 17n, 10n ** 400n)
const wrongAmounts = oneOf<unknown>('1.00', null, {}, true, 0.001, JSON.rawJSON('1e400'))

type Wrong = 'name' | 'percentage' | 'rounding' | 'written' | 'taxes' | 'lines' | 'more'

/** @param wrong what may be wrong, as often as not */
function answers(...wrong: readonly Wrong[]) {
  const unless = <Right, Other>(member: Wrong, right: fc.Arbitrary<Right>, other: fc.Arbitrary<Other>) =>
    wrong.includes(member) ? fc.oneof(right, other) : right
  const tax = fc.record({
    name: unless('name', oneOf('VAT', 'City', 'Sugar'), oneOf<unknown>('', ' ', 'a\nb', 'a\u202eb', 7)),
    percentage: unless('percentage', percentages, wrongPercentages),
    rounding: unless('rounding', roundings, wrongRoundings),
    written: unless('written', fc.constant(undefined), wrongAmounts),
  })
  const manyTaxes = fc.array(tax, { minLength: 21, maxLength: 3_000, size: 'max' })
  return fc.record({
    taxes: unless('taxes', fc.array(tax, { maxLength: 3 }), manyTaxes),
    lines: unless(
      'lines',
      fc.constant('each'),
      oneOf('none', 'first', 'twice', 'others', 'object', 'number'),
    ),
    more: unless('more', fc.constant({}), oneOf({ currency: 'JPY' }, { lines: [] }, { kind: 'none' })),
  })
}

/** In cents: what gave a plan credit, and what billed an absurd amount. */
const WRONG_AMOUNTS = [-100_000n, 90_000_000_000_000n]

function wrongBy(rounding: bigint): EngineReply {
  return { taxes: [{ name: 'VAT', percentage: 10, rounding, written: undefined }], lines: 'each', more: {} }
}

type EngineReply = ReturnType<typeof answers> extends fc.Arbitrary<infer One> ? One : never

function textOf({ taxes, lines, more }: EngineReply, question: Question): string {
  const each = question.lines.map(({ id, amount, tax_behavior: behavior }) => {
    const cents = BigInt(Math.round(amount * 100))
    const known = taxes.map(({ percentage }) =>
      typeof percentage === 'number' ? thousandths(percentage) : 0n,
    )
    const contained = behavior === 'inclusive' ? known.reduce((sum, one) => sum + one, 0n) : 0n
    const answered = taxes.map(({ name, percentage, rounding, written }, index) => {
      const whole = 100_000n + contained
      const exact = whole === 0n ? 0n : (cents * (known[index] ?? 0n)) / whole
      return { name, percentage, amount: written === undefined ? inUnits(exact + rounding) : written }
    })
    return { id, taxes: answered }
  })
  const shapes: Record<string, unknown> = {
    each,
    none: [],
    first: each.slice(0, 1),
    twice: [...each, ...each],
    others: each.map((line) => ({ ...line, id: `${line.id}0` })),
    object: Object.fromEntries(each.entries()),
    number: each.map((line) => ({ ...line, id: Number(line.id) })),
  }
  return JSON.stringify({ ...more, lines: shapes[lines] })
}

function thousandths(percentage: number): bigint {
  return Math.abs(percentage) > 1e9 ? 0n : BigInt(Math.round(percentage * 1_000))
}

function inUnits(cents: bigint): unknown {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return JSON.rawJSON(`${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`)
}

interface Taxed {
  readonly total: number
  readonly lines: number
  readonly tax: number
  readonly groups: readonly {
    readonly name: string
    readonly percentage: number
    readonly treatment: string
    readonly base: number
    readonly amount: number
  }[]
}

function expectRight({ total, tax, lines, groups }: Taxed): void {
  expect(total).toBeGreaterThanOrEqual(0)
  expect(Math.round(tax * 100)).toBe(groups.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0))
  for (const { name, percentage, treatment, base, amount } of groups) {
    expect(['taxed', 'no_rate']).toContain(treatment)
    expect(base).toBeGreaterThanOrEqual(0)
    expect(amount).toBeGreaterThanOrEqual(0)
    expect(percentage).toBeGreaterThanOrEqual(0)
    expect(percentage).toBeLessThanOrEqual(100)
    // A line that is answered without a tax is taxed with 0 %.
    if (treatment === 'taxed') expect(name).toMatch(/^(?:VAT|City|Sugar|Tax)$/)
    // A cent for each line, and one for each tax that is taken out of an inclusive price.
    const bound = lines * (1 + groups.length) * 0.01
    expect(Math.abs(amount - (base * percentage) / 100)).toBeLessThanOrEqual(bound + base * 1e-12)
  }
}

// Proves reference/billing-tax#engine.
test('whatever an engine answers, no order and no invoice is below zero, no tax is a credit, and each tax is that of its percentage', async () => {
  let answer: (question: Question) => string = () => ''
  const receiver = await startReceiver(({ text }, response) => {
    const question = JSON.parse(text) as Question
    response.end(answer(question))
  })
  const { shop, taxes, caller, customer, price, plan } = await openInvoiceShop(fixture, START)
  await taxes.putEngine(caller, { url: receiver.url, on_silence: 'none' })
  const amounts = [0.01, 0.03, 9.99, 30, 100, 12_345.67, 999_999_999_999.99]
  const prices = new Map<string, string>()
  for (const amount of amounts) {
    prices.set(`exclusive ${amount}`, await price(amount))
    prices.set(`inclusive ${amount}`, await price(amount, 'inclusive'))
  }
  const seen = { taxed: 0, silence: 0 }
  const judge = (document: Taxed) => {
    expectRight(document)
    if (document.groups.some(({ treatment }) => treatment === 'no_rate')) seen.silence += 1
    else if (document.tax > 0) seen.taxed += 1
  }
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        { weight: 4, arbitrary: answers() },
        { weight: 4, arbitrary: answers('rounding') },
        { weight: 1, arbitrary: answers('percentage') },
        { weight: 1, arbitrary: answers('written', 'name') },
        { weight: 1, arbitrary: answers('taxes') },
        { weight: 1, arbitrary: answers('lines', 'more') },
        {
          weight: 1,
          arbitrary: answers('name', 'percentage', 'rounding', 'written', 'taxes', 'lines', 'more'),
        },
      ),
      fc.array(oneOf(...amounts), { minLength: 1, maxLength: 3 }),
      oneOf('exclusive', 'inclusive'),
      oneOf(undefined, 33, 100),
      async (answered, chosen, behavior, discount) => {
        answer = (question) => textOf(answered, question)
        const ids = chosen.map((amount) => prices.get(`${behavior} ${amount}`) ?? '')
        const { id } = await plan([...new Set(ids)], { ...(discount !== undefined && { discount }) })
        await shop.advance(START)
        const orders = await shop.orders(id)
        expect(orders).toHaveLength(1)
        for (const { initial_total: total, billing } of orders) {
          const { total: tax, groups } = inJson(billing?.tax) ?? { total: 0, groups: [] }
          judge({ total, tax, groups, lines: chosen.length } as Taxed)
        }
        expect((await shop.get(id)).credit).toBe(0)
        const lines = chosen.map((amount) => ({ label: 'Work', quantity: 1, unit_amount: amount }))
        const request = { customer_uuid: customer, currency: 'EUR', lines }
        const { invoice } = inJson(await fixture.invoices.create(caller, request))
        judge({
          total: invoice.total,
          tax: invoice.tax_total,
          groups: invoice.taxes,
          lines: lines.length,
        } as Taxed)
      },
    ),
    {
      numRuns: RUNS,
      examples: WRONG_AMOUNTS.map(
        (off) => [wrongBy(off), [30], 'exclusive', undefined] as [EngineReply, number[], string, undefined],
      ),
    },
  )
  expect(seen.taxed).toBeGreaterThan(RUNS / 10)
  expect(seen.silence).toBeGreaterThan(RUNS / 10)
  expect(await shop.breaches()).toEqual([])
})
