import type { Schemas } from 'quittance'
import { expect, test } from 'vitest'
import { groupsOf } from '../src/components/timeline-groups.ts'

type PastEntry = Schemas['PastEntry']

const entry = (at: string, kind: string, details: PastEntry['details'], objectId = 'x'): PastEntry => ({
  at: `2026-03-${at}:00Z`,
  kind,
  details,
  object_id: objectId,
  text: '',
  event_id: null,
  request_id: null,
  actor_id: null,
  actor_name: null,
  transaction_uuid: null,
  acquirer: null,
  deliveries: [],
})

test('order, invoice, payment and mails of one period are one entry, and a later attempt is another', () => {
  const march = { order_number: 'ord_2' }
  const groups = groupsOf([
    entry('04T11:01', 'order.updated', march),
    entry('04T11:00', 'transaction.succeeded', { ...march, transaction_type: 'Refund' }),
    entry('04T10:00', 'order.paid', march),
    entry('01T10:03', 'message.sent', { about: 'inv_2' }),
    entry('01T10:02', 'message.sent', { about: 'ord_2' }),
    entry('01T10:01', 'transaction.failed', march),
    entry('01T10:00', 'cycle.activated', {}),
    entry('01T10:00', 'invoice.issued', march, 'inv_2'),
    entry('01T10:00', 'order.created', march),
  ])
  expect(groups.map(({ order, head, entries }) => [order, head.kind, entries.length])).toEqual([
    ['ord_2', 'transaction.succeeded', 3],
    ['ord_2', 'transaction.failed', 5],
    [undefined, 'cycle.activated', 1],
  ])
})
