import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { outcomeOf } from '../testing/reason.ts'

const fixture = await createFixture()
const WRONG = 'not the password at all'
const { admin } = fixture

async function freshStart() {
  await admin.query('delete from sign_in_failures')
  return fixture.serve()
}

// Proves reference/users#lockout.
test('after ten wrong passwords an account is locked for all processes, and the lock ends', async () => {
  const one = await freshStart()
  const other = await fixture.serve()
  const user = await fixture.newUser(one.users)
  for (let attempt = 1; attempt <= 10; attempt++) {
    const { browser } = attempt % 2 === 0 ? one : other
    expect(outcomeOf(await browser().signIn(user.email, WRONG))).toBe('401 sign_in_failed')
  }
  for (const { browser } of [one, other]) {
    const locked = await browser().signIn(user.email.toUpperCase(), user.password)
    expect(outcomeOf(locked)).toBe('429 too_many_attempts')
    const seconds = Number(locked.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(890)
    expect(seconds).toBeLessThanOrEqual(900)
    expect(locked.body.message).toMatch(/locked/)
  }
  const neighbour = await fixture.newUser(one.users)
  expect(outcomeOf(await one.browser().signIn(neighbour.email, neighbour.password))).toBe('200')
  await admin.query(`
    update sign_in_failures set window_ends = window_ends - interval '15 minutes', locked_until = locked_until - interval '15 minutes'`)
  expect(outcomeOf(await one.browser().signIn(user.email, user.password))).toBe('200')
})

test('guesses at the same time are counted one by one', async () => {
  const { users, browser } = await freshStart()
  const user = await fixture.newUser(users)
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, async () => outcomeOf(await browser().signIn(user.email, WRONG))),
  )
  expect(outcomes.filter((outcome) => outcome === '401 sign_in_failed')).toHaveLength(10)
  expect(outcomes.filter((outcome) => outcome === '429 too_many_attempts')).toHaveLength(20)
})

test('the right password forgets the wrong ones before', async () => {
  const { users, browser } = await freshStart()
  const user = await fixture.newUser(users)
  for (let round = 1; round <= 2; round++) {
    for (let attempt = 1; attempt <= 9; attempt++) await browser().signIn(user.email, WRONG)
    expect(outcomeOf(await browser().signIn(user.email, user.password))).toBe('200')
  }
})

test('an address that guesses at many accounts is locked, and others are not', async () => {
  const { users, browser } = await freshStart()
  const user = await fixture.newUser(users)
  const guess = (address: string, email: string, password: string) =>
    browser().send('/console/api/auth/sign-in/email', {
      body: { email, password },
      headers: { 'x-forwarded-for': address },
    })
  await admin.query('delete from sign_in_failures')
  await guess('203.0.113.9', 'somebody@example.com', WRONG)
  await admin.query(`update sign_in_failures set failures = 99 where name like 'address:%'`)
  expect(outcomeOf(await guess('203.0.113.9', 'nobody@example.com', WRONG))).toBe('401 sign_in_failed')
  const locked = await guess('203.0.113.9', user.email, user.password)
  expect(outcomeOf(locked)).toBe('429 too_many_attempts')
  expect(outcomeOf(await guess('203.0.113.10', user.email, user.password))).toBe('200')
})

test('a wrong address and a wrong password get the same answer', async () => {
  const { users, browser } = await freshStart()
  const user = await fixture.newUser(users)
  const unknown = await browser().signIn('nobody@example.com', WRONG)
  const wrong = await browser().signIn(user.email, WRONG)
  const shown = ({ status, body }: typeof wrong) => ({
    status,
    body: { ...body, data: { error: { ...body.data.error, request_id: '' } } },
  })
  expect(shown(unknown)).toEqual(shown(wrong))
})
