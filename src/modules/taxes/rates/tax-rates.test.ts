import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { readPage } from '#platform/http/validation/list'
import { eventsOf } from '#platform/testing/events'
import { longestTurnMs } from '#platform/testing/longest-turn'
import { refusalOf } from '#platform/testing/requests'
import { createFixture } from '../testing/fixture.ts'
import type { NewTaxRate } from '../model/rate-requests.ts'

const fixture = await createFixture()
const { taxes } = fixture
const GERMAN: NewTaxRate = { name: 'VAT', country: 'DE', percentage: 19, valid_from: '2027-01-01' }

// Proves reference/billing-tax#rates.
test('a tax rate is stored with its event, listed, and ended', async () => {
  const { caller, businessId } = await fixture.business()
  const { tax_rate: made } = await taxes.createRate(caller, { ...GERMAN, reference_id: 'de' })
  expect(made).toMatchObject({
    name: 'VAT',
    country: 'DE',
    region: null,
    category: null,
    valid_from: '2027-01-01',
    valid_until: null,
  })
  expect(JSON.stringify(made.percentage)).toBe('19')
  const { tax_rate: ended } = await taxes.editRate(caller, made.id, { valid_until: '2027-06-30' })
  expect(ended.valid_until).toBe('2027-06-30')
  const { tax_rate: next } = await taxes.createRate(caller, { ...GERMAN, valid_from: '2027-07-01' })
  const page = await taxes.ratesPage(caller, undefined, readPage('tax_rates', {}))
  expect(page.tax_rates.map(({ id }) => id)).toEqual([next.id, made.id])
  const events = await eventsOf(fixture.db, businessId, made.id)
  expect(events.map(({ type }) => type)).toEqual(['tax_rate.created'])
  const other = await fixture.business()
  expect(await refusalOf(taxes.rate(other.caller, made.id))).toBe('404 tax_rate_not_found')
  expect(await refusalOf(taxes.editRate(other.caller, made.id, {}))).toBe('404 tax_rate_not_found')
})

// Proves reference/billing-tax#rates.
test('members of a rate that do not fit are refused by name', async () => {
  const { caller } = await fixture.business()
  const refusal = (members: Partial<NewTaxRate>) =>
    refusalOf(taxes.createRate(caller, { ...GERMAN, ...members }))
  const invalid = '422 tax_rate_invalid tax_rate'
  expect(await refusal({ percentage: -1 })).toBe(`${invalid}.percentage`)
  expect(await refusal({ percentage: 101 })).toBe(`${invalid}.percentage`)
  expect(await refusal({ valid_until: '2026-12-31' })).toBe(`${invalid}.valid_until`)
})

// Proves reference/billing-tax#rates.
test('two rates of one country, region, category and name never overlap, also when ten arrive at once', async () => {
  const { caller } = await fixture.business()
  const results = await Promise.all(
    Array.from({ length: 10 }, () => refusalOf(taxes.createRate(caller, GERMAN))),
  )
  expect(results.toSorted()).toEqual([...Array<string>(9).fill('409 tax_rate_overlap'), 'done'])
  const refusal = (members: Partial<NewTaxRate>) =>
    refusalOf(taxes.createRate(caller, { ...GERMAN, ...members }))
  expect(await refusal({ valid_from: '2020-01-01', valid_until: '2027-01-01' })).toBe('409 tax_rate_overlap')
  expect(await refusal({ valid_from: '2020-01-01', valid_until: '2026-12-31' })).toBe('done')
  expect(await refusal({ category: 'books', percentage: 7 })).toBe('done')
  expect(await refusal({ region: 'BE' })).toBe('done')
  const { tax_rates: rates } = await taxes.ratesPage(caller, undefined, readPage('tax_rates', {}))
  const early = rates.find(({ valid_from }) => valid_from === '2020-01-01')
  expect(await refusalOf(taxes.editRate(caller, early?.id ?? '', { valid_until: null }))).toBe(
    '409 tax_rate_overlap',
  )
})

// Proves reference/billing-tax#rates.
test('at most 20 rates apply to one line, however they are created', async () => {
  const { caller } = await fixture.business()
  const header = 'name,country,region,category,percentage,valid_from,valid_until,adds'
  const rows = (count: number, rest: string) =>
    Array.from({ length: count }, (_, at) => `Tax ${at},DE,${rest},true`)
  const importing = (...lines: readonly string[]) =>
    taxes.importRates(caller, { csv: [header, ...lines].join('\n') })
  const created = async (...lines: readonly string[]) => (await importing(...lines)).created
  const refusal = (members: Partial<NewTaxRate>) =>
    refusalOf(taxes.createRate(caller, { ...GERMAN, adds: true, ...members }))
  // Fifteen rates of the country and five of Berlin hold together. Rates that replace them do not add to them.
  await importing(...rows(15, ',,1,2027-01-01,'), ...rows(5, 'BE,,1,2027-01-01,'))
  expect(await created(...rows(15, ',books,1,2027-01-01,'), ...rows(5, 'BE,books,1,2027-01-01,'))).toBe(20)
  const limit = '409 tax_rate_limit'
  expect(await refusal({})).toBe(limit)
  expect(await refusal({ region: 'BE' })).toBe(limit)
  expect(await refusal({ category: 'books' })).toBe(limit)
  expect(await refusal({ region: 'BE', category: 'food' })).toBe(limit)
  expect(await refusal({ valid_from: '2020-01-01', valid_until: '2026-12-31' })).toBe('done')
  expect(await refusal({ region: 'BY' })).toBe('done')
  expect(await refusal({ country: 'FR' })).toBe('done')
  const { tax_rates: rates } = await taxes.ratesPage(caller, undefined, readPage('tax_rates', {}))
  const early = rates.find(({ valid_from: from }) => from === '2020-01-01')
  const extended = await taxes
    .editRate(caller, early?.id ?? '', { valid_until: '2027-01-01' })
    .catch((reason: unknown) => reason)
  expect(extended).toMatchObject({
    reason: 'tax_rate_limit',
    detail: { data: { country: 'DE', region: 'BE', category: null, date: '2027-01-01' } },
  })
  const before = rates.length
  const many = [...rows(20, 'HH,,1,2027-01-01,'), 'VAT,DE,HH,,1,2027-01-01,,']
  const refused = await importing(...many).catch((reason: unknown) => reason)
  expect(refused).toMatchObject({ reason: 'tax_rate_limit' })
  expect(String(refused)).toContain('line ')
  const after = await taxes.ratesPage(caller, undefined, readPage('tax_rates', {}))
  expect(after.tax_rates.length).toBe(before)
})

// Proves reference/billing-tax#rates-that-add-up.
test('a general rate beside one of another name is refused with the sum, unless it is meant to add or replaces that one', async () => {
  const { caller } = await fixture.business()
  const { tax_rate: old } = await taxes.createRate(caller, GERMAN)
  const next: NewTaxRate = { ...GERMAN, name: 'MwSt', percentage: 16, valid_from: '2027-07-01' }
  const refused = await taxes.createRate(caller, next).catch((reason: unknown) => reason)
  expect(refused).toMatchObject({
    reason: 'tax_rate_adds_up',
    detail: { data: { rates: [{ id: old.id, name: 'VAT' }] } },
  })
  expect(JSON.stringify((refused as RequestError).detail.data)).toContain('"sum":35')
  const refusal = (members: Partial<NewTaxRate>) =>
    refusalOf(taxes.createRate(caller, { ...next, ...members }))
  expect(await refusal({ adds: false })).toBe('409 tax_rate_adds_up')
  for (const members of [
    { region: 'BE' },
    { category: 'books' },
    { country: 'AT' },
    { valid_from: '2020-01-01', valid_until: '2026-12-31' },
  ]) {
    expect(await refusal({ name: `Levy ${JSON.stringify(members)}`, ...members })).toBe('done')
  }
  const { tax_rate: made } = await taxes.createRate(caller, { ...next, replaces: old.id })
  expect((await taxes.rate(caller, old.id)).tax_rate.valid_until).toBe('2027-06-30')
  expect(made).toMatchObject({ name: 'MwSt', valid_from: '2027-07-01' })
  expect(await refusal({ name: 'Solidarity', percentage: 5, valid_from: '2027-08-01' })).toBe(
    '409 tax_rate_adds_up',
  )
  expect(await refusal({ name: 'Solidarity', percentage: 5, valid_from: '2027-08-01', adds: true })).toBe(
    'done',
  )
})

test('a rate replaces only one of its own place and category that holds on the day before', async () => {
  const { caller } = await fixture.business()
  const { tax_rate: old } = await taxes.createRate(caller, GERMAN)
  const next: NewTaxRate = { ...GERMAN, percentage: 16, valid_from: '2027-07-01', replaces: old.id }
  const refusal = (members: Partial<NewTaxRate>) =>
    refusalOf(taxes.createRate(caller, { ...next, ...members }))
  const invalid = '422 tax_rate_invalid tax_rate.replaces'
  expect(await refusal({ replaces: 'txr_none' })).toBe('404 tax_rate_not_found tax_rate.replaces')
  expect(await refusal({ country: 'FR' })).toBe(invalid)
  expect(await refusal({ region: 'BE' })).toBe(invalid)
  expect(await refusal({ category: 'books' })).toBe(invalid)
  expect(await refusal({ valid_from: '2026-12-01' })).toBe(invalid)
  await taxes.createRate(caller, next)
  expect(await refusal({ valid_from: '2028-01-01' })).toBe(invalid)
  expect((await taxes.rate(caller, old.id)).tax_rate.valid_until).toBe('2027-06-30')
  const elsewhere = await fixture.business()
  expect(await refusalOf(taxes.createRate(elsewhere.caller, next))).toBe(
    '404 tax_rate_not_found tax_rate.replaces',
  )
})

test('a refused rate leaves the one that it would replace', async () => {
  const { caller } = await fixture.business()
  const { tax_rate: old } = await taxes.createRate(caller, GERMAN)
  await taxes.createRate(caller, { ...GERMAN, name: 'Levy', percentage: 1, adds: true })
  const next = { ...GERMAN, percentage: 16, valid_from: '2027-07-01', replaces: old.id }
  expect(await refusalOf(taxes.createRate(caller, next))).toBe('409 tax_rate_adds_up')
  expect((await taxes.rate(caller, old.id)).tax_rate.valid_until).toBeNull()
})

// Proves reference/billing-tax#removing-a-rate.
test('a rate that taxed nothing is removed, or ended before its first day, and then makes room', async () => {
  const { caller } = await fixture.business()
  const { tax_rate: wrong } = await taxes.createRate(caller, { ...GERMAN, percentage: 90 })
  const edit = (valid_until: string) => refusalOf(taxes.editRate(caller, wrong.id, { valid_until }))
  expect(await edit('2026-12-30')).toBe('422 tax_rate_invalid tax_rate.valid_until')
  expect(await refusalOf(taxes.createRate(caller, GERMAN))).toBe('409 tax_rate_overlap')
  expect(await edit('2026-12-31')).toBe('done')
  await taxes.createRate(caller, GERMAN)
  expect(await taxes.removeRate(caller, wrong.id)).toMatchObject({ tax_rate: { id: wrong.id } })
  expect(await refusalOf(taxes.rate(caller, wrong.id))).toBe('404 tax_rate_not_found')
  expect(await refusalOf(taxes.removeRate(caller, wrong.id))).toBe('404 tax_rate_not_found')
})

// Proves reference/billing-tax#rates-that-add-up.
test('an import names general rates that add up, stored or in the file, and a rate that was taken back stays so', async () => {
  const { caller } = await fixture.business()
  const { tax_rate: stored } = await taxes.createRate(caller, GERMAN)
  const header = 'name,country,percentage,valid_from,valid_until,adds'
  const importing = (...lines: string[]) => taxes.importRates(caller, { csv: [header, ...lines].join('\n') })
  const refused = await importing(
    'MwSt,DE,16,2027-07-01,,',
    'USt,AT,20,2027-01-01,,',
    'VAT,AT,10,2027-06-01,,',
  ).catch((reason: unknown) => reason)
  expect(refused).toMatchObject({
    reason: 'csv_invalid',
    detail: {
      data: {
        lines: [
          { line: 2, reason: 'adds up with VAT 19%, which is valid at the same time' },
          { line: 4, reason: 'adds up with USt 20%, which is valid at the same time' },
        ],
      },
    },
  })
  expect(await importing('Levy,DE,1,2027-07-01,,true')).toMatchObject({ created: 1 })
  await taxes.editRate(caller, stored.id, { valid_until: '2026-12-31' })
  expect(await importing('VAT,DE,19,2027-01-01,,')).toMatchObject({ created: 0, unchanged: 1 })
})

const CSV = `name,country,region,category,percentage,valid_from,valid_until
VAT,FR,,,20,2014-01-01,
VAT,FR,,books,5.5,2014-01-01,
"GST, state",CA,QC,,9.975,2013-01-01,2030-12-31
`

// Proves reference/billing-tax#import.
test('an import creates the rates of all lines, and the same file again changes nothing', async () => {
  const { caller } = await fixture.business()
  expect(await taxes.importRates(caller, { csv: CSV, dry_run: true })).toEqual({
    created: 3,
    unchanged: 0,
    dry_run: true,
  })
  const rates = async () => (await taxes.ratesPage(caller, undefined, readPage('tax_rates', {}))).tax_rates
  expect(await rates()).toEqual([])
  await taxes.importRates(caller, { csv: CSV })
  const imported = await rates()
  expect(imported.map(({ name }) => name).toSorted()).toEqual(['GST, state', 'VAT', 'VAT'])
  const french = imported.find(({ category }) => category === 'books')
  await taxes.editRate(caller, french?.id ?? '', { valid_until: '2029-12-31' })
  expect(await taxes.importRates(caller, { csv: `\uFEFF${CSV.replaceAll('\n', '\r\n')}` })).toEqual({
    created: 0,
    unchanged: 3,
    dry_run: false,
  })
})

// Proves reference/billing-tax#import.
test('one wrong line refuses the whole file, and each is named by its number', async () => {
  const { caller } = await fixture.business()
  const problems = async (csv: string) => {
    const error: unknown = await taxes.importRates(caller, { csv }).catch((reason: unknown) => reason)
    if (!(error instanceof RequestError)) throw new Error('the import was not refused')
    expect(error.reason).toBe('csv_invalid')
    const { lines } = error.detail.data as { lines: { line: number; reason: string }[] }
    return lines.map(({ line, reason }) => `${line} ${reason}`)
  }
  const header = 'name,country,percentage,valid_from'
  expect(
    await problems(
      `${header}\nVAT,DE,19,2027-01-01\nVAT,XX,19,2027-01-01\nVAT,AT,x,2027-01-01\nVAT,DE,7,2028-01-01\nVAT,DE\n`,
    ),
  ).toEqual([
    '3 country is not an ISO 3166-1 alpha-2 code',
    '4 percentage must be a decimal number',
    '5 overlaps another rate of this country, region, category and name',
    '6 has 2 cells, but the header has 4',
  ])
  expect(await problems('name,country\nVAT,DE\n')).toEqual(['1 has no column percentage'])
  expect(await problems(`${header},rate\n`)).toEqual(['1 has an unknown or repeated column: rate'])
  expect(await problems(`${header}\nVAT,"DE\n`)).toEqual(['2 is not CSV'])
  expect((await taxes.ratesPage(caller, undefined, readPage('tax_rates', {}))).tax_rates).toEqual([])
})

const HEADER = 'name,country,region,category,percentage,valid_from,valid_until'
/** With the garbage collections of the process of the tests, on a machine that is six times slower than usual. */
const MAX_TURN_MS = 600

const dayAt = (index: number) => Temporal.PlainDate.from('1975-01-01').add({ days: index }).toString()
const SHAPES = {
  'each in a region': (index: number) => `VAT,DE,r${index},,1,2020-01-01,`,
  'each on a day': (index: number) => `VAT,DE,,,1,${dayAt(index)},${dayAt(index)}`,
}

// Proves reference/billing-tax#import.
test.each(Object.entries(SHAPES))(
  'an import of 18,000 rates, %s, and what reads them hold up nobody',
  async (_, line) => {
    const { caller } = await fixture.business()
    const csv = [HEADER, ...Array.from({ length: 18_000 }, (__, index) => line(index))].join('\n')
    await taxes.importRates(caller, { csv: `${HEADER}\nWarm,FR,,,1,2020-01-01,` })
    const results: unknown[] = []
    const importing = async () => results.push(await taxes.importRates(caller, { csv }))
    expect(await longestTurnMs(importing)).toBeLessThan(MAX_TURN_MS)
    expect(await longestTurnMs(importing)).toBeLessThan(MAX_TURN_MS)
    expect(results).toEqual([
      { created: 18_000, unchanged: 0, dry_run: false },
      { created: 0, unchanged: 18_000, dry_run: false },
    ])
    const creating = async () =>
      results.push(await refusalOf(taxes.createRate(caller, { ...GERMAN, name: 'Levy' })))
    expect(await longestTurnMs(creating)).toBeLessThan(MAX_TURN_MS)
    expect(results.at(-1)).toBe('done')
  },
  180_000,
)
