import { Batches, type BatchOptions } from '#platform/batches/batches'
import type { Database } from '#platform/postgres/database'

/**
 * Submits requests that become one set.
 * @returns `order`, the indexes of the requests in the order in which one by one has the same outcomes: the set's, then those
 *   that ran again alone as they ended
 */
export async function submitTogether<Request, Value>(
  db: Database,
  businessId: string,
  run: BatchOptions<Request, Value>['run'],
  requests: readonly Request[],
): Promise<{ readonly outcomes: PromiseSettledResult<Value>[]; readonly order: number[] }> {
  const sets: (readonly Request[])[] = []
  const ended: Request[] = []
  const batches = new Batches<Request, Value>(db, {
    run: (tx, set) => {
      sets.push(set)
      return run(tx, set)
    },
  })
  const outcomes = await Promise.allSettled(
    requests.map((request) => batches.submit(businessId, request).finally(() => ended.push(request))),
  )
  const alone = new Set(sets.filter(({ length }) => length === 1).flat())
  const rankOf = (request: Request) => (alone.has(request) ? 1 + ended.indexOf(request) : 0)
  const order = requests
    .map((request, index) => ({ index, rank: rankOf(request) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ index }) => index)
  return { outcomes, order }
}
