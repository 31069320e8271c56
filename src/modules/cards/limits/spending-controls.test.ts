import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import type { Route } from '#platform/http/routes/route'
import { compileValidation } from '#platform/http/validation/validation'
import { cardRoutes } from '../api/routes.ts'
import type { EditRequest } from '../cards/edit-card.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { authorize, cards, issueActive, newBusiness } = fixture

function edit(): Route {
  const route = cardRoutes(cards).find(({ method, path }) => method === 'PUT' && path.endsWith('/cards/:id'))
  if (route === undefined) throw new Error('no such route')
  return route
}

/** An edit of the controls as the front door lets it in. Throws what it refuses. */
function checked(controls: object): EditRequest {
  const body = Buffer.from(JSON.stringify({ card: { spending_controls: controls } }))
  return (compileValidation(edit()).body(body) as { card: EditRequest }).card
}

/** Whether others, who have the schema without our own checks, would send these controls. */
function isDocumented(controls: object): boolean {
  const documented = JSON.parse(JSON.stringify(edit().body)) as TSchema
  return Compile(documented).Check({ card: { spending_controls: controls } })
}

test('nothing blocked and nothing counted are controls that control nothing', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { spending_controls: { blocked_countries: ['HK'] } })
  expect((await authorize(caller, card.id, '1')).decline_reason).toBe('country_blocked')
  const none = { blocked_categories: [], blocked_countries: [], count_limits: [] }
  expect(await cards.edit(caller, card.id, checked(none))).toMatchObject({
    card: { spending_controls: none },
  })
  expect((await authorize(caller, card.id, '1')).approved).toBe(true)
})

test.each(['allowed_categories', 'allowed_countries'])(
  'nothing in %s is refused, and its schema says so',
  (member) => {
    expect(() => checked({ [member]: [] })).toThrow(
      `card.spending_controls.${member} must have at least 1 element.`,
    )
    expect(isDocumented({ [member]: [] })).toBe(false)
  },
)

test('a country that is none is refused, and its schema says so', () => {
  expect(() => checked({ blocked_countries: ['HK', 'UK'] })).toThrow(
    'card.spending_controls.blocked_countries[1] must be an ISO 3166-1 alpha-2 country code, such as HK.',
  )
  expect(isDocumented({ blocked_countries: ['UK'] })).toBe(false)
  expect(isDocumented({ blocked_countries: ['HK'] })).toBe(true)
})
