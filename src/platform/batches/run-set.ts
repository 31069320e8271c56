import { RequestError } from '#kernel/errors'
import { isRecording, currentTraceparent, recordingSpan, traced } from '#platform/observability/tracing'
import type { Tx } from '#platform/postgres/database'
import { isRolledBack } from '#platform/postgres/database-errors'
import { inCompany, type KeptScope } from '#platform/request-scope'

/**
 * The outcome of one member of a set.
 * - `refused`: The set has written nothing for it.
 * - `alone`: The set has written nothing for it and does not know its outcome. It runs again as a set of one.
 */
export type Outcome<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly error: Error }
  | { readonly kind: 'alone' }

/** A refusal is an outcome of one member. Any other error fails the set. */
export function outcomeOf<Value>(decide: () => Value): Outcome<Value> {
  try {
    return { kind: 'done', value: decide() }
  } catch (error) {
    if (error instanceof RequestError) return { kind: 'refused', error }
    throw error
  }
}

type Outcomes<Value> = readonly Outcome<Value>[]
export type RunSet<Request, Value> = (tx: Tx, requests: readonly Request[]) => Promise<Outcomes<Value>>
export type Transact<Value> = (
  work: (tx: Tx) => Promise<Outcomes<Value>>,
  waitingSinceMs: number,
) => Promise<Outcomes<Value>>

export interface Member<Request, Value> extends PromiseWithResolvers<Value> {
  readonly request: Request
  readonly scope: KeptScope
  readonly sinceMs: number
}

/**
 * Runs a set and settles its members with their outcomes.
 * @param members the oldest first
 * @param begin called once, when the set has its connection. It may add members.
 * @returns the members that have no outcome yet, and must run alone
 */
export async function runSet<Request, Value, M extends Member<Request, Value>>(
  members: readonly M[],
  transact: Transact<Value>,
  run: RunSet<Request, Value>,
  begin: () => void = () => {},
): Promise<readonly M[]> {
  let hasBegun = false
  let isDecided = false
  const work = async (tx: Tx): Promise<Outcomes<Value>> => {
    isDecided = false
    if (!hasBegun) {
      hasBegun = true
      begin()
      if (members.length > 1) traceCompany(members)
    }
    const outcomes = await runTogether(members, (requests) => run(tx, requests))
    isDecided = true
    const [only] = outcomes
    if (members.length === 1 && only?.kind === 'refused') throw only.error
    if (!outcomes.some(({ kind }) => kind === 'done')) throw new NothingToCommit(outcomes)
    return outcomes
  }
  const [{ scope, sinceMs }] = members as readonly [M]
  try {
    return settle(members, await scope.run(() => transact(work, sinceMs)))
  } catch (error) {
    if (error instanceof NothingToCommit) return settle(members, error.outcomes as Outcomes<Value>)
    if (members.length > 1 && isRolledBack(error, isDecided)) return members
    for (const { reject } of members) reject(error)
    return []
  }
}

function runTogether<Request, Value>(
  members: readonly Member<Request, Value>[],
  run: (requests: readonly Request[]) => Promise<Outcomes<Value>>,
): Promise<Outcomes<Value>> {
  const requests = members.map(({ request }) => request)
  if (members.length === 1) return run(requests)
  return inCompany(
    members.map(({ scope }) => scope),
    () => run(requests),
  )
}

class NothingToCommit extends Error {
  readonly outcomes: Outcomes<unknown>

  constructor(outcomes: Outcomes<unknown>) {
    super('no member of the set was done')
    this.outcomes = outcomes
  }
}

/** @returns the members that must run alone */
function settle<Value, M extends Member<unknown, Value>>(
  members: readonly M[],
  outcomes: Outcomes<Value>,
): readonly M[] {
  return members.filter(({ resolve, reject }, index) => {
    const outcome = outcomes[index]
    if (outcome?.kind === 'done') resolve(outcome.value)
    else if (outcome?.kind === 'refused') reject(outcome.error)
    else if (outcome?.kind === 'alone' && members.length > 1) return true
    else reject(new Error('a set has no outcome for its member'))
    return false
  })
}

/** The trace of the first member has the statements. The traces of the others show the wait, and link to it. */
function traceCompany(
  members: readonly { readonly scope: KeptScope; readonly promise: Promise<unknown> }[],
): void {
  const attributes = { 'quittance.set_size': members.length }
  recordingSpan()?.setAttributes(attributes)
  const first = currentTraceparent()
  for (const { scope, promise } of members.slice(1)) {
    scope.run(() => {
      if (!isRecording()) return
      const options = { attributes, ...(first !== null && { follows: first }) }
      traced('transaction in company', options, () => promise).catch(() => {})
    })
  }
}
