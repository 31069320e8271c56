import { expect, test } from 'vitest'
import { callConsole, createPerson, PASSWORD, signIn } from './harness/people.ts'
import { startScenario } from './harness/scenario.ts'

const { service, client } = await startScenario()
const email = 'jo@example.com'
const jo = await createPerson(service, { email, role: 'support' })
await createPerson(service, { email: 'operator@example.com', isOperator: true })
const cookie = await signIn(service, email)
const operator = await signIn(service, 'operator@example.com')

interface Entry {
  action: string
  state: string
  reason: string | null
  actor: { type: string; id: string }
  object: { type: string; id: string } | null
  before: unknown
  after: unknown
}

async function operatorEntries(query: string): Promise<{ entries: Entry[]; next: string | null }> {
  const response = await callConsole(service, 'GET', `/audit_entries?${query}`, { cookie: operator })
  const { audit_entries: entries, page } = (await response.json()) as {
    audit_entries: Entry[]
    page: { next_cursor: string | null }
  }
  return { entries, next: page.next_cursor }
}

async function outcomeOf(reply: Promise<Response>): Promise<string> {
  const response = await reply
  if (response.ok) return String(response.status)
  const { data } = (await response.json()) as { data: { error: { reason: string } } }
  return `${response.status} ${data.error.reason}`
}

// Proves reference/users#session-api, reference/logs#audit-entries.
test('operators read sign-ins, refused ones and locks, and the business reads who changed a role', async () => {
  const wrong = { body: { email, password: 'not the password' } }
  for (let attempt = 1; attempt <= 10; attempt++) {
    expect(await outcomeOf(callConsole(service, 'POST', '/auth/sign-in/email', wrong))).toBe(
      '401 sign_in_failed',
    )
  }
  const right = { body: { email, password: PASSWORD } }
  expect(await outcomeOf(callConsole(service, 'POST', '/auth/sign-in/email', right))).toBe(
    '429 too_many_attempts',
  )

  const filter = encodeURIComponent(`actor_id = "${jo}"`)
  const { entries } = await operatorEntries(`filter=${filter}&limit=100`)
  expect(entries.map(({ action, state, reason }) => [action, state, reason])).toEqual([
    ['users.lock', 'completed', null],
    ...Array.from({ length: 10 }, () => ['sessions.create', 'refused', 'sign_in_failed']),
    ['sessions.create', 'completed', null],
    ['passwords.reset', 'completed', null],
  ])
  const first = await operatorEntries(`filter=${filter}&limit=1`)
  const second = await operatorEntries(`filter=${filter}&limit=1&cursor=${first.next}`)
  expect([...first.entries, ...second.entries]).toEqual(entries.slice(0, 2))
  const exported = await callConsole(service, 'GET', '/audit_entries/export.csv', { cookie: operator })
  expect(await exported.text()).toContain(`,user,${jo},users.lock,completed,users,${jo},`)

  const { member } = await client.ok('PUT', `/svc/account/api/v1/openapi/members/${jo}`, {
    member: { test_role: 'finance' },
  })
  expect(member.test_role).toBe('finance')
  const changes = encodeURIComponent(`object_id = "${jo}"`)
  const { audit_entries: changed } = await client.ok(
    'GET',
    `/svc/log/api/v1/openapi/audit_entries?filter=${changes}`,
  )
  expect(changed).toMatchObject([
    {
      action: 'members.update',
      state: 'completed',
      actor: { type: 'api_key' },
      request: { member: { test_role: 'finance' } },
    },
  ])
})

test('nobody but operators reads the log of operators, and its filter is checked', async () => {
  const read = (path: string, by?: string) =>
    outcomeOf(callConsole(service, 'GET', path, by === undefined ? {} : { cookie: by }))
  for (const path of ['/audit_entries', '/audit_entries/export.csv']) {
    expect(await read(path, cookie)).toBe('403 operators_only')
    expect(await read(path)).toBe('401 session_ended')
  }
  expect(await read('/audit_entries?filter=shoe%20%3D%2042', operator)).toBe('400 invalid_filter')
  expect(await read('/audit_entries?limit=no', operator)).toBe('400 invalid_query_value')
})

// Proves reference/users#session-api.
test('the views and columns of a list are kept for the user alone', async () => {
  const settings = {
    views: [{ name: 'Large', filter: 'initial_total >= 1000' }],
    columns: ['amount', 'state'],
  }
  const put = (path: string, body: object, more: object = {}) =>
    outcomeOf(callConsole(service, 'PUT', `/list_settings/${path}`, { cookie, body, ...more }))
  expect(await put('orders', settings)).toBe('200')
  const read = async (by: string) =>
    (
      (await (await callConsole(service, 'GET', '/list_settings', { cookie: by })).json()) as {
        list_settings: object
      }
    ).list_settings
  expect(await read(cookie)).toEqual({ orders: settings })
  expect(await put('orders', { views: [] })).toBe('200')
  expect(await read(cookie)).toEqual({ orders: { views: [] } })
  expect(await read(operator)).toEqual({})
  expect(await put('Orders', settings)).toBe('422 list_not_kept')
  expect(await put('orders', { views: [{ name: 'x'.repeat(41), filter: '' }] })).toBe('400 invalid_member')
  expect(await put('orders', {})).toBe('400 missing_member')
  expect(await put('orders', settings, { origin: 'https://evil.example' })).toBe('403 cross_site_request')
  for (let index = 0; index < 49; index++)
    await put(`list_${'abcdefghijklmnopqrstuvwxyz'[index % 26]}${index < 26 ? '' : 'z'}`, { views: [] })
  expect(await put('one_more', { views: [] })).toBe('422 list_not_kept')
  expect(await put('orders', settings)).toBe('200')
})
