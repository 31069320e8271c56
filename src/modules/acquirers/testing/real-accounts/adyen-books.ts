import { Money } from '#kernel/money'
import type { SeenExchange } from '../fault-proxy.ts'
import type { PortBooking } from '../port-harness.ts'

interface Amount {
  readonly currency: string
  readonly value: number
}

interface Asked {
  readonly reference: string
  readonly paymentReference?: string
  readonly amount?: Amount
}

interface Answered {
  readonly pspReference: string
  readonly resultCode?: string
}

interface Hold {
  readonly key: string
  readonly psp: string
  readonly amount: string
  readonly modifications: Map<string, PortBooking>
}

const PATH = /\/v\d+\/(?:payments\/([^/]+)\/)?(payments|captures|refunds|cancels|reversals)$/
const SALE_CAPTURE = /:capture$/

/**
 * Adyen lists no payments, so these books are Adyen's own responses as the proxy saw them, read without the adapter.
 * A capture, refund or cancel counts when Adyen received it: its result comes in a notice, which needs a public
 * address.
 */
export function adyenBooks(seen: readonly SeenExchange[]): PortBooking[] {
  const holds = new Map<string, Hold>()
  for (const { method, path, status, body, answer } of seen) {
    const [, psp, action] = PATH.exec(path) ?? []
    if (method !== 'POST' || action === undefined || status >= 300) continue
    const asked = JSON.parse(body) as Asked
    const answered = JSON.parse(answer) as Answered
    if (action === 'payments') hold(holds, asked, answered)
    else for (const each of modified(holds, psp, asked)) modify(each, action, asked, answered)
  }
  return [...holds.values()].flatMap(standing)
}

function hold(holds: Map<string, Hold>, { reference, amount }: Asked, answered: Answered): void {
  const { pspReference: psp, resultCode } = answered
  if (resultCode !== 'Authorised' || amount === undefined || amount.value === 0 || holds.has(psp)) return
  holds.set(psp, { key: reference, psp, amount: decimal(amount), modifications: new Map() })
}

function modified(holds: ReadonlyMap<string, Hold>, psp: string | undefined, asked: Asked): Hold[] {
  if (psp === undefined) return [...holds.values()].filter(({ key }) => key === asked.paymentReference)
  const found = holds.get(psp)
  return found === undefined ? [] : [found]
}

function modify(on: Hold, action: string, { reference, amount }: Asked, { pspReference }: Answered): void {
  const isSale = SALE_CAPTURE.test(reference)
  const operation = { captures: isSale ? 'sale' : 'capture', refunds: 'refund' }[action] ?? 'void'
  const has = (other: RegExp): boolean =>
    [...on.modifications.values()].some((line) => other.test(line.operation))
  if (operation === 'void' && has(/^(void|sale|capture)$/)) return
  on.modifications.set(pspReference, {
    key: reference.replace(SALE_CAPTURE, ''),
    operation,
    amount: amount === undefined ? on.amount : decimal(amount),
    outcome: 'approved',
    reference: on.psp,
  })
}

function standing({ key, psp, amount, modifications }: Hold): PortBooking[] {
  const lines = [...modifications.values()]
  if (lines.some(({ operation }) => operation === 'sale' || operation === 'void')) return lines
  return [{ key, operation: 'authorization', amount, outcome: 'approved', reference: psp }, ...lines]
}

function decimal({ currency, value }: Amount): string {
  return Money.ofMinor(currency, BigInt(value)).toString()
}
