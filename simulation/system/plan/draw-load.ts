import { Random } from '../../random.ts'
import {
  drawAcquirerFaults,
  drawFailover,
  drawTarget,
  hitsDatabase,
  hitsService,
  type Kill,
  type Moment,
  PARTED_ACTS,
} from './draw-faults.ts'
import { drawDesk } from './draw-desk.ts'
import { drawInvoices } from './draw-invoices.ts'
import { drawOrders } from './draw-orders.ts'
import {
  type ClockMove,
  drawPlanActs,
  drawTerms,
  type DueMove,
  MINUTES_PER_DAY,
  type PlanAct,
  type PlanLife,
} from './draw-plans.ts'
import type { Round, SystemOptions } from './plan.ts'

/** Hundreds of plans that are due together, orders, and kills at critical moments. */
export interface Load {
  readonly plans: number
  readonly orders: number
  readonly months: number
  readonly kills: number
  /** Losses of a pair's primary. */
  readonly failovers: number
  /** Every kill falls between the charge and the change of a plan that is charged first, and most acts on plans are such changes. */
  readonly isAimed?: boolean
}

export const LOAD_ROUND_MS = 2_000
const PLANS_PER_GROUP = 250
const MAX_GROUPS = 9
const MIN_GROUPS = 4
const MAX_KILLS_PER_ROUND = 4
const MAX_MS_BEFORE_FAILOVER = 1_000
const FIRST_DUE_MINUTES = 60
/** Moves the clock to the next inquiry about a payment whose outcome is unknown. */
const INQUIRY_MINUTES = 10

/**
 * Makes the plans in the first round. In the other rounds the clock moves from one due time to the next, while
 * orders live and processes are killed. Only the last round is compared.
 */
export function drawLoad(options: SystemOptions, load: Load): Round[] {
  const stream = (subject: string): Random => new Random(options.seed, subject)
  const moves = drawMoves(stream('clock'), load)
  const count = Math.max(moves.length, load.failovers, Math.ceil(load.kills / MAX_KILLS_PER_ROUND))
  const kills = drawKills(stream('kills'), options, load)
  const rounds = Array.from({ length: count }, (_, index) =>
    drawLoadRound(stream, options, {
      number: index + 1,
      move: shareOf(moves, index, count)[0],
      kills: shareOf(kills, index, count),
      orders: countOf(load.orders, index, count),
      failovers: countOf(load.failovers, index, count),
      acts: drawLoadActs(stream(`round ${index + 1} acts`), load),
      isAimed: load.isAimed === true,
    }),
  )
  const plans = drawLoadPlans(stream('plans'), load)
  const setup: Round = { actors: [{ kind: 'plans', business: 0, actions: plans }], faults: [], chain: [] }
  return [setup, ...rounds].map((round, index) => (index < count ? { ...round, goesOn: true } : round))
}

function drawLoadRound(
  stream: (subject: string) => Random,
  options: SystemOptions,
  parts: {
    readonly number: number
    readonly move: LoadMove | undefined
    readonly kills: readonly Kill[]
    readonly orders: number
    readonly failovers: number
    readonly acts: readonly PlanAct[]
    readonly isAimed: boolean
  },
): Round {
  const { number, move, orders } = parts
  const scene = { orders, roundMs: LOAD_ROUND_MS }
  const of = (subject: string): Random => stream(`round ${number} ${subject}`)
  const clock: ClockMove[] = [
    ...(move === undefined ? [] : [move.move]),
    { atMs: LOAD_ROUND_MS, minutes: INQUIRY_MINUTES },
  ]
  const [acquirer] = options.acquirers
  const failing = of('failovers')
  const prefix = `b0r${number}`
  return {
    actors: [
      { kind: 'orders', business: 0, actions: drawOrders(of('orders'), prefix, scene) },
      { kind: 'plan_acts', business: 0, actions: [...parts.acts] },
      { kind: 'invoices', business: 0, actions: drawInvoices(of('invoices'), prefix, scene) },
      { kind: 'desk', business: 0, actions: drawDesk(of('desk'), prefix, scene) },
      { kind: 'clock', business: 0, actions: clock },
    ],
    faults: [
      ...(acquirer === undefined ? [] : drawAcquirerFaults(of('acquirer'), LOAD_ROUND_MS, acquirer)),
      ...(parts.isAimed
        ? parts.kills.map((kill): Kill => ({ ...kill, moment: { on: 'charged', count: 0, delayMs: 0 } }))
        : drawMoments(of('moments'), parts.kills, (move?.due ?? 0) + orders)),
      ...Array.from({ length: parts.failovers }, (): Kill => ({
        kind: 'database',
        atMs: failing.whole(0, MAX_MS_BEFORE_FAILOVER),
        ...drawTarget(failing, options.acquirers),
        failover: drawFailover(failing),
      })),
    ],
    chain: [],
  }
}

const PAID_FIRST = { do: 'change', to: 'dearer', at: 'now', proration: 'now', isPaidFirst: true } as const

/** Each round acts on a tenth of the plans. */
function drawLoadActs(random: Random, { plans, isAimed }: Load): PlanAct[] {
  const names = Array.from({ length: plans }, (_, index) => `b0r0p${index}`)
  const acts = drawPlanActs(random, names, { count: Math.ceil(plans / 10), roundMs: LOAD_ROUND_MS })
  if (isAimed !== true) return acts
  return acts.map((act) => (random.chance(0.8) ? { ...act, ...PAID_FIRST } : act))
}

interface LoadMove {
  readonly move: DueMove
  /** How many plans are due by its end. */
  readonly due: number
}

function groupCount(plans: number): number {
  return Math.min(MAX_GROUPS, Math.max(MIN_GROUPS, Math.ceil(plans / PLANS_PER_GROUP)))
}

/** At most 24 days and a few hours after the first group, so that every group is due once in each month. */
function firstDueMinutes(group: number): number {
  return FIRST_DUE_MINUTES + (24 * 3 + 1) * 60 * group + 7 * group
}

export function drawLoadPlans(random: Random, { plans, months }: Pick<Load, 'plans' | 'months'>): PlanLife[] {
  const groups = groupCount(plans)
  return Array.from({ length: plans }, (_, index) => {
    const dueMinutes = firstDueMinutes(index % groups)
    const maxTrialDays = Math.floor((dueMinutes - FIRST_DUE_MINUTES) / MINUTES_PER_DAY)
    const terms = drawTerms(random, { declines: 0.05, maxTrialDays })
    return {
      name: `b0r0p${index}`,
      atMs: 0,
      frequency: 'MONTHLY',
      startsAfterMinutes: dueMinutes - (terms.trial?.minutes ?? 0),
      startsFromOpening: true,
      billingCount: random.chance(0.5) ? months : null,
      gracePeriod: random.pick([null, 0, 3]),
      ...terms,
    }
  })
}

/**
 * One move for each due time, unless the next move passes over it. Some end just before, so that billing outside of
 * clock/advance is killed, too.
 */
function drawMoves(random: Random, { plans, months }: Load): LoadMove[] {
  const groups = groupCount(plans)
  const times = Array.from({ length: months * groups }, (_, index) => ({
    months: Math.floor(index / groups),
    startsAfterMinutes: firstDueMinutes(index % groups),
  }))
  let passed = 0
  return times.flatMap((time, index): LoadMove[] => {
    passed++
    const drawn = random.next()
    const hours = random.whole(0, 60)
    const isLast = index === times.length - 1
    if (drawn < 0.3 && !isLast) return []
    const ms = drawn < 0.7 && !isLast ? -500 : hours * 3_600_000
    const due = Math.round((passed * plans) / groups)
    passed = 0
    return [{ move: { ...time, atMs: 0, ms }, due }]
  })
}

/** Each ten kills contain every kind except `database`, which is one in twenty. */
const TEN_KILLS = [
  'service',
  'service',
  'services',
  'services',
  'services',
  'database_and_services',
  'database_and_services',
  'acquirer',
  'acquirer',
  'everything',
] as const
/** The charge is in one of the processes. */
const KILLS_OF_ALL_SERVICES = TEN_KILLS.filter((kind) => hitsService(kind) && kind !== 'service')
const DATABASE_KILL_INTERVAL = 20
/** About as long as a correction takes, or a charge and its change. */
const MAX_MS_INSIDE_AN_ACT = 60

function drawKills(random: Random, options: SystemOptions, { kills: count, isAimed }: Load): Kill[] {
  const { acquirers, topology, database } = options
  const sparesDatabase = topology === 'pair' || (database !== undefined && database.crash === undefined)
  const kinds: Kill['kind'][] = []
  const drawnFrom = isAimed === true ? KILLS_OF_ALL_SERVICES : TEN_KILLS
  while (kinds.length < count) kinds.push(...random.shuffle(drawnFrom))
  return kinds.slice(0, count).map((drawn, nth) => {
    const isOfDatabase = isAimed !== true && nth % DATABASE_KILL_INTERVAL === DATABASE_KILL_INTERVAL / 2
    const kind = isOfDatabase ? 'database' : drawn
    const isSpared = sparesDatabase && hitsDatabase(kind)
    return { kind: isSpared ? 'services' : kind, atMs: 0, ...drawTarget(random, acquirers) }
  })
}

/**
 * The moments of the kills of a round, in turn: at a booking, while the clock moves, while the service starts again, or inside an act.
 */
function drawMoments(random: Random, kills: readonly Kill[], bookings: number): Kill[] {
  const counts = kills.map(() => random.whole(0, bookings)).toSorted((a, b) => a - b)
  return kills.map((kill, nth) => {
    const before = kills[nth - 1]
    const drawn = random.next()
    const on =
      before !== undefined && hitsService(before.kind) && hitsService(kill.kind) && drawn < 0.3
        ? 'start'
        : kill.kind.startsWith('service') && drawn < 0.75
          ? 'advance'
          : hitsService(kill.kind)
            ? random.pick(['booking', ...PARTED_ACTS] as const)
            : 'booking'
    const isAimed = PARTED_ACTS.some((act) => act === on)
    const pauseMs = random.chance(0.5) ? 0 : random.whole(0, isAimed ? MAX_MS_INSIDE_AN_ACT : 400)
    const moment: Moment = {
      on,
      count: counts[nth] ?? 0,
      delayMs: on === 'start' ? random.whole(50, 2_000) : pauseMs,
    }
    return { ...kill, moment }
  })
}

/** Spreads elements over `count` rounds. */
function shareOf<Element>(elements: readonly Element[], index: number, count: number): readonly Element[] {
  const at = (n: number): number => Math.ceil((elements.length * n) / count)
  return elements.slice(at(index), at(index + 1))
}

function countOf(total: number, index: number, count: number): number {
  return Math.floor((total * (index + 1)) / count) - Math.floor((total * index) / count)
}
