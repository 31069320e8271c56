import { setTimeout as sleep } from 'node:timers/promises'
import type { Round } from '../plan/plan.ts'
import type { Business } from './business.ts'
import { liveCard } from './cards.ts'
import { liveDesk } from './desk.ts'
import { liveInvoice } from './invoices.ts'
import { liveOrder, visitOrder } from './orders.ts'
import { actOnPlan } from './plan-acts.ts'
import { beginPlan, moveClock } from './plans.ts'

/** The bound for one actor. More actions would only wait for each other. */
const MAX_AT_ONCE = 24

interface Action {
  readonly atMs: number
  readonly name: string
  readonly run: () => Promise<void>
}

/** One promise for each actor of the round. `reach` resolves when the time of an action has come. */
export function act(
  { actors }: Round,
  businesses: readonly Business[],
  { number, reach, underWay }: ActOptions,
): Promise<void>[] {
  return actors.map(async (actor) => {
    const business = businesses[actor.business]
    if (business === undefined) return
    const actions = actionsOf(business, actor, number).toSorted((a, b) => a.atMs - b.atMs)
    const worker = async (): Promise<void> => {
      for (let action = actions.shift(); action !== undefined; action = actions.shift()) {
        await reach(action.atMs)
        underWay?.add(action.name)
        await action.run()
        underWay?.delete(action.name)
      }
    }
    // One action at a time moves the clock.
    const workers = actor.kind === 'clock' ? 1 : MAX_AT_ONCE
    const ended = await Promise.allSettled(Array.from({ length: workers }, worker))
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  })
}

export interface ActOptions {
  readonly number: number
  readonly reach: (atMs: number) => Promise<void>
  /** The names of the actions that are under way. */
  readonly underWay?: Set<string>
}

/** The time of a round that began now. */
export function timeFromNow(signal?: AbortSignal): ActOptions['reach'] {
  const startedAtMs = performance.now()
  return (atMs) =>
    sleep(Math.max(0, startedAtMs + atMs - performance.now()), undefined, { ...(signal && { signal }) })
}

function actionsOf(business: Business, actor: Round['actors'][number], round: number): Action[] {
  switch (actor.kind) {
    case 'orders':
      return actor.actions.map((life) => ({ ...life, run: () => liveOrder(business, life) }))
    case 'visits':
      return actor.actions.map((visit, index) => ({
        atMs: visit.atMs,
        name: `visit of ${visit.order}`,
        run: () => visitOrder(business, visit, `b${business.index}r${round}v${index}s`),
      }))
    case 'plans':
      return actor.actions.map((life) => ({ ...life, run: () => beginPlan(business, life) }))
    case 'plan_acts':
      return actor.actions.map((plannedAct, index) => ({
        atMs: plannedAct.atMs,
        name: `${plannedAct.do} of ${plannedAct.plan}`,
        run: () => actOnPlan(business, plannedAct, `b${business.index}r${round}a${index}`),
      }))
    case 'invoices':
      return actor.actions.map((life) => ({ ...life, run: () => liveInvoice(business, life) }))
    case 'desk':
      return actor.actions.map((life) => ({ ...life, run: () => liveDesk(business, life) }))
    case 'cards':
      return actor.actions.map((life) => ({ ...life, run: () => liveCard(business, life) }))
    case 'clock':
      return actor.actions.map((move) => ({
        atMs: move.atMs,
        name: JSON.stringify(move),
        run: () => moveClock(business, move),
      }))
  }
}
