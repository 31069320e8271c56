import { type Members, parseMembers } from '../../port/members.ts'
import type { PortBooking } from '../port-harness.ts'
import type { SeenExchange } from '../fault-proxy.ts'

const CONFIRM = /^\/api\/v1\/pa\/payment_intents\/(int_\w+)\/confirm$/
const CAPTURE = /^\/api\/v1\/pa\/payment_intents\/(int_\w+)\/capture$/
const CANCEL = /^\/api\/v1\/pa\/payment_intents\/(int_\w+)\/cancel$/

/** What Airwallex answered, read without the adapter: each successful movement once, by its own id. */
export function airwallexBooks(seen: readonly SeenExchange[]): PortBooking[] {
  const bookings = new Map<string, PortBooking>()
  for (const { method, path, status, body, answer: answered } of seen) {
    if (method !== 'POST' || status < 200 || status >= 300) continue
    const answer = parseMembers(answered) ?? {}
    const request = parseMembers(body) ?? {}
    const booking = bookingOf(path, request, answer)
    if (booking !== null) bookings.set(`${booking.operation} ${booking.reference}`, booking)
  }
  return [...bookings.values()]
}

function bookingOf(path: string, request: Members, answer: Members): PortBooking | null {
  const id = String(answer.id)
  const metadata = (answer.metadata ?? {}) as Members
  const line = (operation: string, key: unknown, amount: unknown): PortBooking => ({
    key: String(key),
    operation,
    amount: Number(amount).toFixed(2),
    outcome: 'approved',
    reference: id,
  })
  if (CONFIRM.test(path) && answer.status === 'SUCCEEDED') {
    return line('sale', metadata.quittance_key, answer.captured_amount)
  }
  if (CONFIRM.test(path) && answer.status === 'REQUIRES_CAPTURE') {
    return line('authorization', metadata.quittance_key, answer.amount)
  }
  if (CAPTURE.test(path)) return line('capture', request.request_id, answer.captured_amount)
  if (CANCEL.test(path) && metadata.quittance_kind === 'authorization') {
    return line('void', request.request_id, answer.amount)
  }
  if (path.endsWith('/pa/refunds/create')) return line('refund', request.request_id, answer.amount)
  return null
}
