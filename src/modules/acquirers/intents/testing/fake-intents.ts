import { Money } from '#kernel/money'
import type { AcquirerRecord } from '../../port/port.ts'
import type { PaymentRequest } from '../intent-acquirer.ts'
import {
  type Decline,
  type Intent,
  type IntentRefund,
  type IntentState,
  type PaymentIntents,
  type Step,
  unknown,
} from '../intent.ts'

export type Fault = 'lost_before' | 'lost_after' | null

export type Issuer = 'approves' | 'declines' | 'needs_payer' | 'asks_payer' | 'asks_in_script'

export const ACTION = { type: 'three_d_secure', url: 'https://bank.test/challenge' }

interface Stored {
  readonly id: string
  readonly kind: 'sale' | 'authorization'
  readonly amount: Money
  state: IntentState
  decline: Decline | null
  url: boolean
  capturedMinor: bigint
}

export class FakeIntents implements PaymentIntents<PaymentRequest> {
  readonly calls: string[] = []
  readonly stored = new Map<string, Stored>()
  readonly refunds: (IntentRefund & { readonly of: string })[] = []
  issuer: Issuer = 'approves'
  faultOf: (call: string) => Fault = () => null
  moved = 0
  knowsKeys = false

  create({ kind, amount }: PaymentRequest): Promise<Step<Intent>> {
    return this.#exchange('create', () => {
      const id = `pi_${this.stored.size + 1}`
      const intent: Stored = { id, kind, amount, state: 'open', decline: null, url: false, capturedMinor: 0n }
      this.stored.set(id, intent)
      return ok(intent)
    })
  }

  confirm(
    id: string,
    { payerPresent }: Pick<PaymentRequest, 'payerPresent'>,
    again: boolean,
  ): Promise<Step<Intent>> {
    const call = again ? 'confirm again' : 'confirm'
    return this.#exchange(call, () => this.confirmNow(id, payerPresent || again))
  }

  confirmNow(id: string, isOnSession = true): Step<Intent> {
    const intent = this.#find(id)
    if (intent.state !== 'open') return refused('unexpected_state')
    if (this.issuer === 'declines') return this.#decline(intent, 'generic_decline')
    if (this.issuer === 'needs_payer' && !isOnSession) return this.#decline(intent, 'authentication_required')
    if (this.issuer === 'approves') this.#move(intent)
    else {
      intent.state = 'action'
      intent.url = this.issuer !== 'asks_in_script'
    }
    return ok(intent)
  }

  read(id: string): Promise<Step<Intent>> {
    return this.#exchange('read', () => ok(this.#find(id)))
  }

  cancel(id: string): Promise<Step<Intent>> {
    return this.#exchange('cancel', () => {
      const intent = this.#find(id)
      if (intent.state === 'done' || intent.state === 'canceled') return refused('unexpected_state')
      if (intent.state === 'held') this.moved -= 1
      intent.state = 'canceled'
      return ok(intent)
    })
  }

  capture(id: string, { amount }: { readonly amount: Money }): Promise<Step<Intent>> {
    return this.#exchange('capture', () => {
      const intent = this.#find(id)
      if (intent.state !== 'held') return refused('unexpected_state')
      intent.state = 'done'
      intent.capturedMinor = amount.minor
      return ok(intent)
    })
  }

  refund({
    key,
    originalReference,
  }: {
    key: string
    originalReference: string
  }): Promise<Step<IntentRefund>> {
    return this.#exchange('refund', () => {
      const repeated = this.knowsKeys ? this.refunds.find((refund) => refund.key === key) : undefined
      if (repeated !== undefined) return { kind: 'ok', value: repeated }
      const record = { ...recordOf(`re_${this.refunds.length + 1}`), responseCode: 'succeeded' }
      const refund = { key, of: originalReference, outcome: { kind: 'approved', ...record } } as const
      this.refunds.push(refund)
      return { kind: 'ok', value: refund }
    })
  }

  refundsOf(id: string): Promise<Step<readonly IntentRefund[]>> {
    return this.#exchange('look', () => ({
      kind: 'ok',
      value: this.refunds.filter((refund) => refund.of === id),
    }))
  }

  async #exchange<Value>(call: string, run: () => Step<Value>): Promise<Step<Value>> {
    this.calls.push(call)
    const fault = this.faultOf(call)
    if (fault === 'lost_before') return unknown('no response')
    const answer = run()
    return fault === 'lost_after' ? unknown('no response') : answer
  }

  #move(intent: Stored): void {
    this.moved += 1
    intent.state = intent.kind === 'sale' ? 'done' : 'held'
    if (intent.kind === 'sale') intent.capturedMinor = intent.amount.minor
  }

  #decline(intent: Stored, responseCode: string): Step<Intent> {
    const outcome = { kind: 'declined', hard: false, ...recordOf(intent.id), responseCode } as const
    intent.decline = { outcome, needsPayer: responseCode === 'authentication_required' }
    return { kind: 'declined', decline: intent.decline }
  }

  #find(id: string): Stored {
    const intent = this.stored.get(id)
    if (intent === undefined) throw new Error(`there is no intent ${id}`)
    return intent
  }
}

export function saleRequest(options: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    kind: 'sale',
    key: 'key-1',
    at: Temporal.Instant.from('2026-11-23T12:00:00Z'),
    amount: Money.ofDecimal('USD', '10.00'),
    instrument: { type: 'acquirer_token', id: 'pm_1', payerReference: 'cus_1' },
    payerPresent: true,
    returnUrl: 'https://shop.test/back',
    orderNumber: 'O1',
    commitReference: async () => true,
    ...options,
  }
}

function ok(intent: Stored): Step<Intent> {
  const { id, state, decline, url, capturedMinor } = intent
  const action = state === 'action' && url ? ACTION : null
  return { kind: 'ok', value: { id, state, decline, action, capturedMinor, record: recordOf(id) } }
}

function refused(responseCode: string): Step<never> {
  return { kind: 'refused', responseCode, responseMessage: 'No.' }
}

function recordOf(id: string): AcquirerRecord {
  return {
    gatewayTransactionId: id,
    rrn: '',
    authCode: '',
    batchNumber: '',
    responseCode: 'ok',
    responseMessage: '',
  }
}
