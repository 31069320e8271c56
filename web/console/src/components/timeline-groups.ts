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

const OUTCOMES: ReadonlySet<string> = new Set([
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
  'order.paid',
  'order.refunded',
  'order.voided',
  'order.expired',
  'transaction.failed',
  'transaction.pending',
])

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

/** The newest outcome; before there is one, the order as it was made. */
function headOf(entries: readonly PastEntry[]): PastEntry {
  const head =
    entries.find(isOutcome) ?? entries.find(({ kind }) => kind === 'order.created') ?? entries.at(0)
  if (head === undefined) throw new TypeError('A group has entries')
  return head
}

function isOutcome({ kind, details }: PastEntry): boolean {
  return OUTCOMES.has(kind) || (kind === 'transaction.succeeded' && details.transaction_type === 'Refund')
}
