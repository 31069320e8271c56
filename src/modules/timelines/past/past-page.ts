import Type, { type Static } from 'typebox'
import { type Instant, isAfter, isBefore } from '#kernel/clock'
import { parseInstant } from '#kernel/time-text'
import { platformErrors } from '#platform/errors'
import { strictObject, Text } from '#platform/http/validation/schemas'

/** Both limits: reference/timelines#past. */
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

export const TimelineQuerySchema = strictObject({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      description: `Entries of a page: at most ${MAX_LIMIT}, default ${DEFAULT_LIMIT}.`,
    }),
  ),
  cursor: Type.Optional(Text({ max: 512, description: 'next_cursor of the previous page.' })),
})
export type TimelineQuery = Static<typeof TimelineQuerySchema>

/**
 * Where a page begins: after the entry with this time and place. Places order the entries of one moment.
 * - `suffix`: For a plan, the newest of the orders that the page covers.
 */
interface Position {
  readonly at: Instant
  readonly place: string
  readonly suffix: number | null
}

export interface PageOfTimeline {
  readonly name: string
  readonly limit: number
  readonly after: Position | undefined
}

export interface Placed {
  readonly at: Instant
  readonly place: string
}

export interface PastPage<Entry> {
  readonly entries: readonly Entry[]
  readonly nextCursor: string | null
}

export function readPage(name: string, { limit = DEFAULT_LIMIT, cursor }: TimelineQuery): PageOfTimeline {
  return { name, limit, after: cursor === undefined ? undefined : decode(name, cursor) }
}

/**
 * The part of an id after its prefix. Ids begin with their time of creation, so they order what happened in the same
 * millisecond.
 */
export function placeOf(id: string): string {
  return id.slice(id.indexOf('_') + 1)
}

export function isOnPage({ at, place }: Placed, { after }: PageOfTimeline): boolean {
  if (after === undefined) return true
  return isBefore(at, after.at) || (at.equals(after.at) && place < after.place)
}

/**
 * Merges entries of several sources, newest first.
 * @param found at least the newest `limit + 1` of each source
 */
export function pageOf<Entry extends Placed>(
  found: readonly Entry[],
  page: PageOfTimeline,
  suffixAt: (at: Instant) => number | null = () => null,
): PastPage<Entry> {
  const sorted = found.toSorted(newestFirst)
  const entries = sorted.slice(0, page.limit)
  const last = entries.at(-1)
  const hasMore = sorted.length > page.limit && last !== undefined
  return {
    entries,
    nextCursor: hasMore ? encode(page.name, { ...last, suffix: suffixAt(last.at) }) : null,
  }
}

function newestFirst(a: Placed, b: Placed): number {
  if (!a.at.equals(b.at)) return isAfter(a.at, b.at) ? -1 : 1
  return a.place > b.place ? -1 : a.place < b.place ? 1 : 0
}

function encode(name: string, { at, place, suffix }: Position): string {
  return Buffer.from(JSON.stringify([name, at.toString(), place, suffix])).toString('base64url')
}

/** The result goes into SQL, so a forged cursor must fail here. */
function decode(name: string, cursor: string): Position {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(parts) && parts.length === 4) {
      const [ofTimeline, time, place, suffix] = parts as unknown[]
      const at = typeof time === 'string' ? parseInstant(time) : undefined
      const isSuffix = suffix === null || (Number.isSafeInteger(suffix) && Number(suffix) >= 0)
      if (ofTimeline === name && at !== undefined && isPlace(place) && isSuffix) {
        return { at, place, suffix: suffix === null ? null : Number(suffix) }
      }
    }
  } catch {}
  throw platformErrors.invalid_cursor({ param: 'cursor' })
}

function isPlace(place: unknown): place is string {
  return typeof place === 'string' && /^[A-Za-z0-9_.-]{0,128}$/.test(place)
}
