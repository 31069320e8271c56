import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import type { Route } from '#platform/http/routes/route'
import { compileValidation } from '#platform/http/validation/validation'
import { cardRoutes } from '../api/routes.ts'
import type { EditRequest } from './requests.ts'
import { contextOf } from '../module.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { authorize, cards, issueActive, newBusiness } = fixture

function editRoute(): Route {
  const route = cardRoutes(contextOf(fixture.deps)).find(
    ({ method, path }) => method === 'PUT' && path.endsWith('/cards/:id'),
  )
  if (route === undefined) throw new Error('there is no route for editing cards')
  return route
}

/** Parses an edit as the server does. Throws the server's error. */
function parseEdit(controls: object): EditRequest {
  const body = Buffer.from(JSON.stringify({ card: { spending_controls: controls } }))
  return (compileValidation(editRoute()).body(body) as { card: EditRequest }).card
}

/** Checks against the published JSON schema alone, without the server's own rules. */
function matchesPublishedSchema(controls: object): boolean {
  const published = JSON.parse(JSON.stringify(editRoute().body)) as TSchema
  return Compile(published).Check({ card: { spending_controls: controls } })
}

// Proves reference/cards#spending-controls.
test('empty blocked lists and empty count limits restrict nothing', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { spending_controls: { blocked_countries: ['HK'] } })
  expect((await authorize(caller, card.id, '1')).decline_reason).toBe('country_blocked')
  const emptyControls = { blocked_categories: [], blocked_countries: [], count_limits: [] }
  expect(await cards.edit(caller, card.id, parseEdit(emptyControls))).toMatchObject({
    card: { spending_controls: emptyControls },
  })
  expect((await authorize(caller, card.id, '1')).approved).toBe(true)
})

test.each(['allowed_categories', 'allowed_countries'])(
  'an empty %s is rejected by the server and by the published schema',
  (member) => {
    expect(() => parseEdit({ [member]: [] })).toThrow(
      `card.spending_controls.${member} must have at least 1 element.`,
    )
    expect(matchesPublishedSchema({ [member]: [] })).toBe(false)
  },
)

test('an unassigned country code is rejected by the server and by the published schema', () => {
  expect(() => parseEdit({ blocked_countries: ['HK', 'UK'] })).toThrow(
    'card.spending_controls.blocked_countries[1] must be an ISO 3166-1 alpha-2 country code, such as HK.',
  )
  expect(matchesPublishedSchema({ blocked_countries: ['UK'] })).toBe(false)
  expect(matchesPublishedSchema({ blocked_countries: ['HK'] })).toBe(true)
})
