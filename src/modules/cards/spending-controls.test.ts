import { expect, test } from 'vitest'
import { compileValidation } from '#platform/http/validation'
import { cardRoutes } from './routes.ts'
import type { EditRequest } from './edit-card.ts'
import { createFixture } from './testing/fixture.ts'

const fixture = await createFixture()
const { authorize, cards, issueActive, newBusiness } = fixture

/** An edit of the controls as the front door lets it in. Throws what it refuses. */
function checked(controls: object): EditRequest {
  const route = cardRoutes(cards).find(({ method, path }) => method === 'PUT' && path.endsWith('/cards/:id'))
  if (route === undefined) throw new Error('no such route')
  const body = Buffer.from(JSON.stringify({ card: { spending_controls: controls } }))
  return (compileValidation(route).body(body) as { card: EditRequest }).card
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

test.each(['allowed_categories', 'allowed_countries'])('nothing in %s is refused, saying why', (member) => {
  expect(() => checked({ [member]: [] })).toThrow(
    `card.spending_controls.${member} must not be empty: nothing would be allowed. Left out, everything is.`,
  )
})
