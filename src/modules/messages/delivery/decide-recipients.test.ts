import { expect, test } from 'vitest'
import { decideRecipients, type RecipientGround } from './decide-recipients.ts'

const MESSAGE = {
  kind: 'receipt',
  state: 'queued',
  recipient: 'Ada@example.com',
  customerUuid: 'cus_1',
  reached: [],
} as const
const GROUND: RecipientGround = {
  bcc: 'books@example.com',
  replyTo: null,
  copiesOf: new Map([['cus_1', ['cfo@example.com', 'books@example.com']]]),
  suppressions: new Map(),
}

test('a message goes once to each address, and not to one that an earlier try reached', () => {
  expect(decideRecipients(MESSAGE, GROUND).recipients).toEqual([
    'Ada@example.com',
    'cfo@example.com',
    'books@example.com',
  ])
  const again = decideRecipients({ ...MESSAGE, reached: ['cfo@example.com'] }, GROUND)
  expect(again.recipients).toEqual(['Ada@example.com', 'books@example.com'])
})

test('a recipient who gets no mail stops the message and not its copies, whatever the case of the address', () => {
  const suppressions = new Map([['ada@example.com', 'hard' as const]])
  const decided = decideRecipients(MESSAGE, { ...GROUND, suppressions })
  expect(decided.isSuppressed).toBe(true)
  expect(decided.recipients).toEqual(['cfo@example.com', 'books@example.com'])
})

test('nobody gets a copy of a link that signs in', () => {
  const { cc, recipients } = decideRecipients({ ...MESSAGE, kind: 'portal_link' }, GROUND)
  expect([cc, recipients]).toEqual([[], ['Ada@example.com']])
})
