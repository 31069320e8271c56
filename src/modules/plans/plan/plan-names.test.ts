import { expect, test } from 'vitest'
import { createFixture, Shop } from '../../billing/testing/fixture.ts'

const fixture = await createFixture()
const { db, admin, recurring } = fixture
const shop = await Shop.open(fixture, '2025-01-10T02:00:00Z')
const customer = await shop.customer()

async function find(query: string, { caller } = shop): Promise<{ id: string; match: string }[]> {
  const search = { text: query, amountKey: undefined, lastFour: undefined, limit: 20 }
  return db.transact(caller.businessId, (tx) => recurring.search(tx, search))
}

async function found(query: string, of = shop): Promise<string[]> {
  return (await find(query, of)).map(({ id }) => id)
}

async function plan(name: string): Promise<string> {
  return (await shop.plan(customer, { name })).id
}

async function rename(id: string, name: string): Promise<void> {
  await recurring.edit(shop.caller, id, { name })
}

async function words(): Promise<string[]> {
  const { rows } = await admin.query<{ word: string }>(
    'select distinct word from recurring_plan_word_keys where business_id = $1 order by 1',
    [shop.caller.businessId],
  )
  return rows.map(({ word }) => word)
}

const club = await plan('Café Crème Club: Family Membership 2025')
const chinese = await plan('黃金會員每月訂閱計劃')

// Proves reference/search#plans-and-cards.
test.each(['Café Crème', 'cafe creme club', 'CREME', 'club fam', 'memb', '2025 café', 'cafe 2025', '2025'])(
  '%s finds the plan by words of its name',
  async (query) => {
    expect(await found(query)).toEqual([club])
  },
)

test('a name of many words is found by each of them', async () => {
  const names = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen'
  const id = await plan(names)
  for (const word of names.split(' ')) expect(await found(word)).toContain(id)
})

test('a name without spaces is found by each of its characters', async () => {
  for (const query of ['黃金', '會員', '每月訂閱', '計劃', '劃'])
    expect(await found(query)).toEqual([chinese])
})

// Proves reference/search#typing-errors.
test.each([
  ['membreship', 'swapped letters'],
  ['cafe cremme', 'a letter too many'],
  ['famili memb', 'a wrong letter'],
  ['club famly', 'a missing letter'],
  ['creem clbu', 'two words with an error'],
])('%s (%s) finds the plan as similar', async (query) => {
  expect(await find(query)).toContainEqual(expect.objectContaining({ id: club, match: 'similar' }))
})

test('the whole name is an exact match, and comes before names that begin with it', async () => {
  const whole = await plan('Tennis')
  const longer = await plan('Tennis coaching')
  expect(await find('tennis')).toMatchObject([
    { id: whole, match: 'exact' },
    { id: longer, match: 'prefix' },
  ])
})

test('a renamed plan is found by its new name only, and words that no plan has any more are gone', async () => {
  const id = await plan('Silver Rowing')
  await plan('Silver Yoga')
  await rename(id, 'Bronze Sailing')
  for (const query of ['bronze', 'sailing', 'sialing']) expect(await found(query)).toContain(id)
  for (const query of ['rowing', 'rownig', 'silver']) expect(await found(query)).not.toContain(id)
  expect(await words()).toEqual(expect.arrayContaining(['silver', 'bronze', 'sailing']))
  expect(await words()).not.toContain('rowing')
})

test('a word stays while another plan has it, whatever stands beside it', async () => {
  for (const name of ['Zumba', 'Zumba2', 'Night Zumba', 'Zumba-Kids', '5 Zumba_live']) {
    const [gone, kept] = [await plan('Zumba'), await plan(name)]
    await rename(gone, 'Other')
    expect(await words()).toContain('zumba')
    await rename(kept, 'Other')
    expect(await words()).not.toContain('zumba')
  }
  const [gone] = [await plan('Zumba'), await plan('Zumbathon')]
  await rename(gone, 'Other')
  expect(await words()).not.toContain('zumba')
})

test('a plan is found while it is billed and after it has ended', async () => {
  const id = await plan('Billiards Pass')
  await shop.advance('2025-03-20T02:00:00Z')
  expect(await found('biliards')).toContain(id)
  await recurring.cancel(shop.caller, id, false)
  expect(await found('biliards pass')).toContain(id)
})

// Proves reference/conventions#filters.
test('the list of plans compares names as they are written', async () => {
  const [upper, lower] = [await plan('Aquafit 10'), await plan('aquafit 10')]
  const listed = async (filter: string) => {
    const page = { list: 'plans', offset: 0, limit: 10, after: undefined }
    const { plans } = await recurring.page(shop.caller, filter, page)
    return plans.map(({ id }) => id)
  }
  expect(await listed('name = "Aqua*"')).toEqual([upper])
  expect(await listed('name = "aquafit 10"')).toEqual([lower])
  expect(await listed('name = "Aqua*10"')).toEqual([upper])
  expect(await listed('name : AQUAFIT')).toEqual([lower, upper])
})

test('billing writes nothing to the search', async () => {
  const rows = async () =>
    (
      await admin.query<{ xmin: string }>(
        'select term, plan_id, xmin::text from recurring_plan_terms where business_id = $1 order by 1, 2',
        [shop.caller.businessId],
      )
    ).rows
  const before = await rows()
  await shop.advance('2025-06-20T02:00:00Z')
  expect(await rows()).toEqual(before)
})

test('names of another business are not found', async () => {
  const other = await Shop.open(fixture, '2025-01-10T02:00:00Z')
  for (const query of ['cafe', 'memb', 'membreship', '會員']) expect(await found(query, other)).toEqual([])
})

test('words that an older version did not write are written when the name is given again', async () => {
  await admin.query('delete from recurring_plan_terms where plan_id = $1', [club])
  expect(await found('membership')).toEqual([])
  await rename(club, 'Café Crème Club: Family Membership 2025')
  expect(await found('membership')).toEqual([club])
})
