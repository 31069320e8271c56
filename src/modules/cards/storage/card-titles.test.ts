import { expect, test } from 'vitest'
import type { Caller } from '#platform/caller'
import { CARDS_PERSONAL_DATA } from './personal-data.ts'
import { searchCards } from './search.repository.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { db, admin, cards, issue, issueActive, authorize } = fixture
const caller = await fixture.newBusiness()

async function find(
  query: string,
  { businessId }: Caller = caller,
): Promise<{ id: string; match: string }[]> {
  const search = { text: query, amountKey: undefined, lastFour: undefined, limit: 20 }
  return db.transact(businessId, (tx) => searchCards(tx, search))
}

async function found(query: string, of?: Caller): Promise<string[]> {
  return (await find(query, of)).map(({ id }) => id)
}

async function searched({ businessId }: Caller): Promise<string> {
  const { rows } = await admin.query<{ text: string }>(
    `select term as text from card_terms where business_id = $1
     union all select key || ' ' || word from card_word_keys where business_id = $1`,
    [businessId],
  )
  return rows.map(({ text }) => text).join('\n')
}

const { id: travel } = await issue(caller, { title: 'Équipe Marketing – Travel expenses' })
const { id: chinese } = await issue(caller, { title: '市場部差旅費' })
await issue(caller)

// Proves reference/search#plans-and-cards.
test.each(['Équipe', 'equipe MARKETING', 'marketing', 'trav', 'expenses', 'travel exp', 'expenses equipe'])(
  '%s finds the card by words of its title',
  async (query) => {
    expect(await found(query)).toEqual([travel])
  },
)

test('a title without spaces is found by each of its characters', async () => {
  for (const query of ['市場', '差旅', '費']) expect(await found(query)).toEqual([chinese])
})

// Proves reference/search#typing-errors.
test.each(['markteing', 'equipee', 'travle expenses', 'expences'])(
  '%s finds the card as similar',
  async (query) => {
    expect(await find(query)).toContainEqual(expect.objectContaining({ id: travel, match: 'similar' }))
  },
)

test('a card with another title is found by that one only', async () => {
  const { id } = await issue(caller, { title: 'Lunches' })
  await cards.edit(caller, id, { title: 'Workshop supplies' })
  for (const query of ['workshop', 'supplies', 'suplies']) expect(await found(query)).toContain(id)
  for (const query of ['lunches', 'lunhces']) expect(await found(query)).not.toContain(id)
  expect(await searched(caller)).not.toContain('lunch')
  await cards.edit(caller, id, { title: '' })
  expect(await found('workshop')).toEqual([])
})

test('a card with a title is found by its identifiers, too', async () => {
  const card = await issueActive(caller, { title: 'Fuel' })
  for (const query of [card.id, card.reference_id, 'user-1']) expect(await found(query)).toContain(card.id)
  expect(await find('fuel')).toMatchObject([{ id: card.id, match: 'exact' }])
})

test('authorizations write nothing to the search', async () => {
  const card = await issueActive(caller, { title: 'Parking' })
  const rows = async () =>
    (
      await admin.query<{ xmin: string }>(
        'select term, xmin::text from card_terms where business_id = $1 order by card_id, term',
        [caller.businessId],
      )
    ).rows
  const before = await rows()
  await authorize(caller, card.id, '10')
  await cards.changeStatus(caller, card.id, { status: 'Terminated' })
  expect(await rows()).toEqual(before)
})

test('titles of another business are not found', async () => {
  const other = await fixture.newBusiness()
  for (const query of ['marketing', 'markteing', '差旅']) expect(await found(query, other)).toEqual([])
})

// Proves reference/personal-data#erasure.
test('an erased title is gone from the search, and its words stay for other cards', async () => {
  const owner = await fixture.newBusiness()
  const erased = await issueActive(owner, { title: 'Zephyrine Quillfeather Travel' })
  const kept = await issue(owner, { title: 'Travel of Ada' })
  const subject = {
    uuid: 'cus_1',
    names: ['user-1'],
    erasedName: 'erased-cus_1',
    texts: ['Zephyrine Quillfeather'],
  }
  const [source] = CARDS_PERSONAL_DATA.sources
  await db.transact(owner.businessId, async (tx) => {
    const objects = CARDS_PERSONAL_DATA.objects?.(owner.businessId, subject)
    if (objects === undefined) throw new Error('cards name no objects')
    await source?.erase?.(tx, { ...subject, objects }, '')
  })
  expect(await searched(owner)).not.toMatch(/zephyrin|quillfeathe/)
  for (const query of ['zephyrine', 'quillfaether']) expect(await found(query, owner)).toEqual([])
  expect(await found('travel', owner)).toEqual([kept.id])
  expect(await found('travle', owner)).toEqual([kept.id])
  expect(await found('erased', owner)).toEqual([erased.id])
})
