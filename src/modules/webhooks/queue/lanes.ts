import { realNowMs } from '#kernel/clock'
import { hostOf } from '../delivery/delivery.ts'

/**
 * Who may be sent how much at the same time. What a slow or dead receiver takes is a place for as long
 * as it does not answer, so places are shared out by pace: receivers that answered quickly last time,
 * those that nobody knows yet, and slow ones. Each kind has its own bound, and what turns out to be
 * slow while it is under way counts as slow from then on. So a hundred dead receivers fill the places
 * of the unknown and the slow, and those of the quick stay free.
 *
 * A receiver is a URL (its lane). Its host bounds what URLs take that are not known to be quick: a dead
 * host may be behind thousands of them.
 */
type Pace = 'quick' | 'unknown' | 'slow'

/** From here on an exchange counts as slow. Nearly all receivers answer within a tenth of it. */
export const SLOW_MS = 2_000

/** Places over all receivers: of quick and unknown ones together, of unknown ones among them, of slow ones. */
const MAX: Readonly<Record<Pace, number>> = { quick: 768, unknown: 96, slow: 64 }
/** Places of one process. */
export const MAX_PLACES = MAX.quick + MAX.slow
/** Who shares places: one that becomes free is free to both. */
const FAST: readonly Pace[] = ['quick', 'unknown']
/**
 * What a receiver may have under way. Each quick answer doubles it. The highest is two whole claims: while one is sent
 * the next is made, else nothing is sent for as long as the database takes (a fifth fewer deliveries a second).
 */
const FIRST_LIMIT = 1
const SLOW_LIMIT = 4
export const MAX_LIMIT = 256
/** What a host may have under way of receivers that are not known to be quick: of a host that answers others, and of one that does not. */
const MAX_UNPROVEN = { quickHost: 48, otherHost: 8 }
/** For how long an answer shows that a host is there. */
const HOST_STAYS_QUICK_MS = 60_000
/** Receivers and hosts that are remembered; the one that was not used for the longest is forgotten. */
const MAX_ENTRIES = 10_000

interface Receiver {
  pace: Pace
  underWay: number
  limit: number
}

interface Host {
  /** Real time, until when it counts as quick. */
  quickUntilMs: number
  unproven: number
}

/** One place, taken until `leave`. */
export interface Place {
  readonly lane: string
  readonly receiver: Receiver
  readonly host: Host
  pace: Pace
}

/** What kept a receiver from more places; `leave` names it again once there is one. */
export type Blocker = string

/** Whether nobody has a place left, but those that are slow. */
export function isWithoutPlaces(blocker: Blocker | undefined): boolean {
  return blocker === ('quick' satisfies Pace)
}

export class Lanes {
  readonly #receivers = new Map<string, Receiver>()
  readonly #hosts = new Map<string, Host>()
  readonly #taken: Record<Pace, number> = { quick: 0, unknown: 0, slow: 0 }

  /** Takes up to `most` places for a receiver; `blocker` says what kept it from having all of them. */
  take(lane: string, most: number): { places: Place[]; blocker: Blocker | undefined } {
    const receiver = recentEntry(this.#receivers, lane, newReceiver, (one) => one.underWay === 0)
    const host = recentEntry(this.#hosts, hostOf(lane), newHost, (one) => one.unproven === 0)
    const places: Place[] = []
    while (places.length < most) {
      const { pace } = receiver
      const blocker = this.#blocker(lane, receiver, host)
      if (blocker !== undefined) return { places, blocker }
      receiver.underWay++
      if (pace !== 'quick') host.unproven++
      this.#taken[pace]++
      places.push({ lane, receiver, host, pace })
    }
    return { places, blocker: undefined }
  }

  #blocker(lane: string, receiver: Receiver, host: Host): Blocker | undefined {
    if (receiver.underWay >= receiver.limit) return lane
    const { pace } = receiver
    if (pace !== 'quick') {
      const isQuickHost = realNowMs() < host.quickUntilMs
      const most = isQuickHost ? MAX_UNPROVEN.quickHost : MAX_UNPROVEN.otherHost
      if (host.unproven >= most) return hostOf(lane)
      if (this.#taken[pace] >= MAX[pace]) return pace
    }
    const isFast = pace !== 'slow'
    return isFast && this.#taken.quick + this.#taken.unknown >= MAX.quick ? pace : undefined
  }

  /**
   * An exchange is not over after `SLOW_MS`: its place counts as slow, and so does its receiver.
   * @returns what others may have waited for
   */
  turnsSlow(place: Place): readonly Blocker[] {
    becomeSlow(place.receiver)
    if (place.pace === 'slow') return []
    if (place.pace === 'quick') place.host.unproven++
    this.#taken[place.pace]--
    this.#taken.slow++
    place.pace = 'slow'
    return FAST
  }

  /**
   * Gives a place back.
   * @param durationMs of the exchange; undefined when there was none, which says nothing of the receiver
   * @returns what others may have waited for
   */
  leave(place: Place, durationMs: number | undefined): Blocker[] {
    const { receiver, host } = place
    this.#taken[place.pace]--
    if (place.pace !== 'quick') host.unproven--
    receiver.underWay--
    if (durationMs !== undefined) learn(receiver, host, durationMs)
    const paces = place.pace === 'slow' ? ['slow'] : FAST
    return [place.lane, hostOf(place.lane), ...paces]
  }
}

function learn(receiver: Receiver, host: Host, durationMs: number): void {
  if (durationMs >= SLOW_MS) return becomeSlow(receiver)
  receiver.pace = 'quick'
  receiver.limit = Math.min(receiver.limit * 2, MAX_LIMIT)
  host.quickUntilMs = realNowMs() + HOST_STAYS_QUICK_MS
}

function becomeSlow(receiver: Receiver): void {
  receiver.pace = 'slow'
  receiver.limit = SLOW_LIMIT
}

const newReceiver = (): Receiver => ({ pace: 'unknown', underWay: 0, limit: FIRST_LIMIT })
const newHost = (): Host => ({ quickUntilMs: 0, unproven: 0 })

/** The entry of a map that forgets the one that was not used for the longest, unless it is in use. */
function recentEntry<Entry>(
  map: Map<string, Entry>,
  key: string,
  make: () => Entry,
  isIdle: (entry: Entry) => boolean,
): Entry {
  const entry = map.get(key) ?? make()
  map.delete(key)
  map.set(key, entry)
  if (map.size <= MAX_ENTRIES) return entry
  for (const [oldest, candidate] of map) {
    if (!isIdle(candidate)) continue
    map.delete(oldest)
    break
  }
  return entry
}
