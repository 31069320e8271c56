import type { Schemas } from 'quittance'

type PastEntry = Schemas['PastEntry']

/** Entries about one order that stand together, newest first. `head` says how it ended. */
export interface TimelineGroup {
  readonly order: string | undefined
  readonly head: PastEntry
  readonly entries: readonly PastEntry[]
}

/** An attempt days later is an entry of its own. */
const TOGETHER_MS = 24 * 60 * 60 * 1000

/** What a person wants to know of an order first. */
const TELLING = [
  'dispute.lost',
  'dispute.won',
  'dispute.opened',
  'order.refunded',
  'order.voided',
  'order.expired',
  'order.paid',
  'transaction.failed',
  'transaction.pending',
  'order.updated',
  'transaction.succeeded',
  'order.created',
]

/** Puts together the order, the documents, the payment and the messages of one period. */
export function groupsOf(past: readonly PastEntry[]): TimelineGroup[] {
  const ofDocuments = new Map(past.map(({ object_id: id, details }) => [id, details.order_number]))
  const groups: { order: string | undefined; entries: PastEntry[] }[] = []
  for (const entry of past) {
    const { order_number: number, about = '' } = entry.details
    const order = number ?? ofDocuments.get(about) ?? (about.startsWith('ord_') ? about : undefined)
    const newest = order && groups.findLast((group) => group.order === order)
    if (newest && Date.parse(newest.entries.at(-1)?.at ?? '') - Date.parse(entry.at) <= TOGETHER_MS)
      newest.entries.push(entry)
    else groups.push({ order, entries: [entry] })
  }
  return groups.map(({ order, entries }) => ({ order, entries, head: headOf(entries) }))
}

function headOf(entries: readonly PastEntry[]): PastEntry {
  const [first, ...others] = entries
  if (first === undefined) throw new TypeError('A group has entries')
  const rank = ({ kind }: PastEntry) => (TELLING.includes(kind) ? TELLING.indexOf(kind) : TELLING.length)
  return others.reduce((best, entry) => (rank(entry) < rank(best) ? entry : best), first)
}
