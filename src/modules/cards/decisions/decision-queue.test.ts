import { afterEach, expect, test, vi } from 'vitest'
import { DecisionQueues } from './decision-queue.ts'
import { decisionRequest } from '../testing/decision-request.ts'

const caller = {
  businessId: 'biz',
  businessCode: '',
  environment: 'test',
  appId: '',
  actor: { type: 'api_key', id: '' },
  requestId: '',
} as const

afterEach(() => vi.useRealTimers())

// Proves reference/cards#authorizations.
test('busy cards that overfill the batches do not starve another card', async () => {
  const decided: string[] = []
  const queues = new DecisionQueues(async (_businessId, requests) => {
    decided.push([...new Set(requests.map(({ cardId }) => cardId))].join())
    return requests.map(() => ({ kind: 'undecided' }))
  })
  const cardIds = [
    'hot',
    'hotter',
    ...Array.from({ length: 600 }, (_, index) => (index % 2 ? 'hot' : 'hotter')),
    'other',
  ]
  await Promise.all(cardIds.map((cardId) => queues.submit('biz', decisionRequest(caller, cardId))))
  const firstOfOther = decided.findIndex((cards) => cards.split(',').includes('other'))
  expect(decided.slice(0, 4).toSorted()).toEqual(['hot', 'hot', 'hotter', 'hotter'])
  expect(firstOfOther).toBe(4)
})

test('a second batch starts beside the first for 16 waiting requests, or when the first takes longer than 20 ms', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const started: string[][] = []
  const ends: (() => void)[] = []
  const queues = new DecisionQueues(async (_businessId, requests) => {
    started.push(requests.map(({ cardId }) => cardId))
    await new Promise<void>((resolve) => ends.push(resolve))
    return requests.map(() => ({ kind: 'undecided' }))
  })
  const submit = (cardId: string) => queues.submit('biz', decisionRequest(caller, cardId))

  const first = submit('first')
  const few = Array.from({ length: 15 }, (_, index) => submit(`few-${index}`))
  expect(started).toEqual([['first']])
  const sixteenth = submit('sixteenth')
  expect(started.map(({ length }) => length)).toEqual([1, 16])

  const third = submit('third')
  ends[1]?.()
  await Promise.all([...few, sixteenth])
  expect(started).toHaveLength(2)
  // No request arrives, and the first batch still waits for a lock.
  vi.advanceTimersByTime(20)
  expect(started[2]).toEqual(['third'])
  ends[2]?.()
  await third

  ends[0]?.()
  await first
  const next = submit('next')
  expect(started).toHaveLength(4)
  const after = submit('after')
  expect(started).toHaveLength(4)
  ends[3]?.()
  await next
  expect(started[4]).toEqual(['after'])
  ends[4]?.()
  await after
})
