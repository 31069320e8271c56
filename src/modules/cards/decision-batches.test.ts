import { expect, test } from 'vitest'
import { DecisionBatches } from './decision-batches.ts'
import { decisionRequest } from './testing/decision-request.ts'

const caller = { businessId: 'biz', businessCode: '', environment: 'test', appId: '', requestId: '' } as const

test('cards with more requests than fit keep no other card waiting: each has its turn', async () => {
  const decided: string[] = []
  const batches = new DecisionBatches(async (_businessId, requests) => {
    decided.push([...new Set(requests.map(({ cardId }) => cardId))].join())
    return requests.map(() => ({ kind: 'undecided' }))
  })
  const asked = [
    'hot',
    'hotter',
    ...Array.from({ length: 600 }, (_, index) => (index % 2 ? 'hot' : 'hotter')),
    'other',
  ]
  await Promise.all(asked.map((cardId) => batches.submit('biz', decisionRequest(caller, cardId))))
  const firstOfOther = decided.findIndex((cards) => cards.split(',').includes('other'))
  expect(decided.slice(0, 4).toSorted()).toEqual(['hot', 'hot', 'hotter', 'hotter'])
  expect(firstOfOther).toBe(4)
})
