import { Random } from '../../random.ts'
import type { AcquirerName } from '../../acquirers/index.ts'
import { type CardLife, drawCards } from './draw-cards.ts'
import { type DeskLife, drawDesk } from './draw-desk.ts'
import { drawInvoices, type InvoiceLife } from './draw-invoices.ts'
import { drawFaults, type Fault } from './draw-faults.ts'
import { drawOrders, type OrderLife, type OrderVisit } from './draw-orders.ts'
import {
  type ClockMove,
  drawClockMoves,
  drawPlanActs,
  drawPlans,
  type PlanAct,
  type PlanLife,
} from './draw-plans.ts'
import { type ChainAction, drawChainActions } from './draw-chain.ts'
import type { Topology } from './topology.ts'

export const SUPERVISORS = ['simulation', 'pg_auto_failover'] as const
export type Supervisor = (typeof SUPERVISORS)[number]

export interface SystemOptions {
  readonly seed: number
  readonly topology: Topology
  readonly acquirers: readonly AcquirerName[]
  /** The time within which the actions and faults of a round begin. The round lasts until they are done. */
  readonly roundMs: number
  /** How many orders begin in a round, for each business. The other actors are in proportion. */
  readonly orders: number
  /** Who promotes the replica of a pair: the simulation, unless it is a program of Debian's. */
  readonly supervisor?: Supervisor
  /** An empty database that runs already, such as the coordinator of Citus. */
  readonly database?: { readonly url: string; readonly crash?: string }
}

/** What one actor of one business does in a round. */
interface RoundOf<Kind extends string, Action> {
  readonly kind: Kind
  readonly business: number
  readonly actions: readonly Action[]
}

export type ActorRound =
  | RoundOf<'orders', OrderLife>
  | RoundOf<'visits', OrderVisit>
  | RoundOf<'plans', PlanLife>
  | RoundOf<'plan_acts', PlanAct>
  | RoundOf<'invoices', InvoiceLife>
  | RoundOf<'desk', DeskLife>
  | RoundOf<'clock', ClockMove>
  | RoundOf<'cards', CardLife>

export interface Round {
  readonly actors: readonly ActorRound[]
  readonly faults: readonly Fault[]
  readonly chain: readonly ChainAction[]
  /** The next round begins at once. Otherwise the faults end, and everything is compared. */
  readonly goesOn?: boolean
}

/** Everything that is chosen: a file of this suffices to repeat a run. Every choice comes from the seed. */
export interface SystemPlan {
  readonly options: SystemOptions
  readonly rounds: readonly Round[]
}

export function drawPlan(options: SystemOptions, rounds: number): SystemPlan {
  return { options, rounds: Array.from({ length: rounds }, (_, round) => drawRound(options, round)) }
}

/** Depends only on the options and the number of the round. Each actor in it has a stream of its own. */
export function drawRound(options: SystemOptions, round: number): Round {
  const { seed, roundMs, topology, acquirers } = options
  const stream = (subject: string): Random => new Random(seed, `round ${round} ${subject}`)
  const actors = acquirers.flatMap((_, business): ActorRound[] => {
    const of = (subject: string): Random => stream(`business ${business} ${subject}`)
    const prefix = `b${business}r${round}`
    return [
      { kind: 'orders', business, actions: drawOrders(of('orders'), prefix, options) },
      { kind: 'visits', business, actions: drawVisits(of('visits'), business, round, options) },
      { kind: 'plans', business, actions: drawPlans(of('plans'), prefix, options) },
      { kind: 'plan_acts', business, actions: drawActs(of('plan_acts'), business, round, options) },
      { kind: 'invoices', business, actions: drawInvoices(of('invoices'), prefix, options) },
      { kind: 'desk', business, actions: drawDesk(of('desk'), prefix, options) },
      { kind: 'clock', business, actions: drawClockMoves(of('clock'), roundMs) },
      { kind: 'cards', business, actions: drawCards(of('cards'), prefix, options) },
    ]
  })
  return {
    actors,
    faults: drawFaults(stream, { roundMs, topology, acquirers }),
    chain: drawChainActions(stream('chain'), { roundMs, businesses: acquirers.length }),
  }
}

/** Something is done to plans of earlier rounds. */
function drawActs(random: Random, business: number, round: number, options: SystemOptions): PlanAct[] {
  const perRound = Math.ceil(options.orders / 3)
  const plans = Array.from(
    { length: round * perRound },
    (_, index) => `b${business}r${Math.floor(index / perRound)}p${index % perRound}`,
  )
  return drawPlanActs(random, plans, { count: 5 * perRound, roundMs: options.roundMs })
}

/** Refunds or voids orders of earlier rounds, or repeats their requests with the same keys. */
function drawVisits(random: Random, business: number, round: number, options: SystemOptions): OrderVisit[] {
  if (round === 0) return []
  return Array.from({ length: Math.ceil(options.orders / 2) }, () => ({
    atMs: random.whole(0, options.roundMs),
    order: `b${business}r${random.whole(0, round - 1)}o${random.whole(0, options.orders - 1)}`,
    steps: [
      random.pick([
        { do: 'repeat' },
        { do: 'repeat' },
        { do: 'refund', percent: 100, times: random.whole(1, 3), waits: true },
        { do: 'refund', percent: random.whole(5, 95), times: 1, waits: random.chance(0.5) },
        { do: 'void', times: random.whole(1, 2) },
        { do: 'pay', type: 'Sales', percent: 100, times: random.whole(1, 2), waits: true },
      ] as const),
    ],
  }))
}
