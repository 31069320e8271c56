import { test } from 'vitest'
import { HOSTILE_TEXTS } from '#platform/testing/hostile-texts'
import { expectLinearTime } from '#platform/testing/processor-time'
import { TEST_PRINCIPAL } from '#platform/testing/test-server'
import { entryOf, type PendingEntry } from './entry-of.ts'

const PENDING: PendingEntry = {
  requestId: 'req',
  method: 'POST',
  target: '/',
  route: '/',
  principal: { ...TEST_PRINCIPAL, businessId: 'biz' },
  status: 403,
  reason: 'missing_scope',
  startedAtMs: 0,
  durationMs: 1,
  isWrite: true,
  isReplayed: false,
  ipAddress: '::1',
  userAgent: undefined,
  idempotencyKey: undefined,
  requestBody: undefined,
  responseBody: undefined,
}

// Proves reference/logs#cost.
test.each([
  ['refused body', (text: string) => ({ requestBody: Buffer.from(JSON.stringify([text])) })],
  ['body that was read', (text: string) => ({ status: 422, requestBody: Buffer.from(text) })],
  ['response', (text: string) => ({ responseBody: text })],
  ['path', (text: string) => ({ target: `/${text}` })],
  ['query', (text: string) => ({ target: `/?q=${text}` })],
  ['user agent', (text: string) => ({ userAgent: text })],
  ['id and key', (text: string) => ({ requestId: text, idempotencyKey: text })],
])(
  'an entry of any %s takes time linear in its length',
  (_name, members) => {
    for (const text of HOSTILE_TEXTS)
      expectLinearTime(text.name, (length) => entryOf({ ...PENDING, ...members(text.ofLength(length)) }))
  },
  120_000,
)
