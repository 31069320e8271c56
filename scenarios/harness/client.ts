import { randomUUID } from 'node:crypto'
import { eventually } from '#platform/testing/until'
import type { SandboxFile } from '../../src/sandbox-file.ts'

export interface ApiReply {
  readonly status: number
  readonly headers: Headers
  readonly code: number
  readonly message: string
  // Scenarios read responses as a client does, without the types of the service.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any
}

export interface CallOptions {
  readonly idempotencyKey?: string
  readonly headers?: Record<string, string>
}

export const PAYMENTS = '/svc/payment/api/v1/openapi'

export function cardToBind(number: string) {
  return {
    token_type: 'CreditCard',
    credit_card: {
      number,
      exp_month: '12',
      exp_year: '2049',
      cvc: '123',
      holder_name: 'CHAN TAI MAN',
      billing_currency: 'HKD',
    },
  }
}

/** The one cycle of a plan that bills an item each month without end. */
export function monthly(itemId: string, quantity = 1) {
  const recurring_items = [{ recurring_item_id: itemId, quantity }]
  return [{ billing_count: null, recurring_billing_config: 'FREQ=MONTHLY', recurring_items }]
}

/** Whether to send a request again that found no connection to the database on a busy machine, and so has done nothing. */
function mayRepeat(method: string, reason: unknown): boolean {
  return reason === 'overloaded' || (reason === 'unavailable' && method === 'GET')
}

export class Client {
  readonly sandbox: SandboxFile

  constructor(sandbox: SandboxFile) {
    this.sandbox = sandbox
  }

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<ApiReply> {
    const response = await fetch(`${this.sandbox.base_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.sandbox.api_key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    })
    const envelope = (await response.json()) as Omit<ApiReply, 'status' | 'headers'>
    return { ...envelope, status: response.status, headers: response.headers }
  }

  /** Returns `data` of a 200 response and throws for any other. */
  async ok(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiReply['data']> {
    const reply = await eventually(
      () => this.call(method, path, body, options),
      ({ status, data }) => status !== 503 || !mayRepeat(method, data?.error?.reason),
    )
    if (reply.status !== 200) {
      throw new Error(`${method} ${path} got ${reply.status}: ${JSON.stringify(reply)}`)
    }
    return reply.data
  }

  async createCustomer(
    members: Record<string, unknown> = {},
  ): Promise<{ uuid: string; reference_number: string }> {
    const { customer } = await this.ok('POST', `${PAYMENTS}/customers`, {
      customer: {
        reference_number: `customer-${randomUUID()}`,
        name: 'Chan Tai Man',
        phone: '91234567',
        ...members,
      },
    })
    return customer
  }

  async bindCard(
    customerUuid: string,
    number: string,
    members: Record<string, unknown> = {},
  ): Promise<ApiReply['data']> {
    return this.bind(customerUuid, { ...cardToBind(number), ...members })
  }

  async bind(customerUuid: string, paymentToken: object): Promise<ApiReply['data']> {
    const { payment_token } = await this.ok('POST', `${PAYMENTS}/customers/${customerUuid}/payment_tokens`, {
      payment_token: paymentToken,
    })
    return payment_token
  }

  async createOrder(members: Record<string, unknown> = {}): Promise<ApiReply['data']> {
    const { order } = await this.ok('POST', `${PAYMENTS}/orders`, {
      order: { reference_number: `order-${randomUUID()}`, currency: 'HKD', initial_total: 100, ...members },
    })
    return order
  }

  async pay(orderNumber: string, token: string, members: Record<string, unknown> = {}): Promise<ApiReply> {
    return this.call('POST', `${PAYMENTS}/orders/pay`, {
      order: { number: orderNumber },
      transaction: { type: 'Sales', payment_token: token, ...members },
    })
  }

  async checkOrder(number: string): Promise<ApiReply['data']> {
    const { order } = await this.ok('POST', `${PAYMENTS}/orders/check`, { order: { number } })
    return order
  }

  async createItem(price: number, currency = 'HKD', label = 'Membership'): Promise<string> {
    const { recurring_item } = await this.ok('POST', `${PAYMENTS}/recurring_payments/items`, {
      recurring_item: { label, price, currency },
    })
    return recurring_item.id
  }

  async createPlan(plan: Record<string, unknown>): Promise<ApiReply['data']> {
    const { plan: created } = await this.ok('POST', `${PAYMENTS}/recurring_payments/plan`, {
      plan: {
        name: 'Monthly',
        default_collection_method: 'charge_automatically',
        payment_retry_count: 3,
        payment_retry_day_period: 2,
        ...plan,
      },
    })
    return created
  }

  async getPlan(id: string): Promise<ApiReply['data']> {
    const { plan } = await this.ok('GET', `${PAYMENTS}/recurring_payments/plan/${id}`)
    return plan
  }

  async orders(filter: string): Promise<ApiReply['data'][]> {
    return this.all(`${PAYMENTS}/orders`, 'orders', { filter })
  }

  async now(): Promise<Temporal.Instant> {
    const { clock } = await this.ok('GET', '/svc/sandbox/api/v1/openapi/clock')
    return Temporal.Instant.from(clock.now)
  }

  async advanceTo(to: string): Promise<void> {
    await this.ok('POST', '/svc/sandbox/api/v1/openapi/clock/advance', { to })
  }

  async advanceBy(by: string): Promise<void> {
    await this.ok('POST', '/svc/sandbox/api/v1/openapi/clock/advance', { by })
  }

  async events(objectId: string): Promise<ApiReply['data'][]> {
    return this.all('/svc/event/api/v1/openapi/events', 'events', { object_id: objectId })
  }

  /** Reads every page of a list. The list is newest first; the result is oldest first. */
  async all(path: string, member: string, query: Record<string, string> = {}): Promise<ApiReply['data'][]> {
    const all: ApiReply['data'][] = []
    let cursor = ''
    do {
      const page = new URLSearchParams({ ...query, limit: '100', ...(cursor === '' ? {} : { cursor }) })
      const data = await this.ok('GET', `${path}?${page.toString()}`)
      all.push(...data[member])
      cursor = data.page.has_more ? data.page.next_cursor : ''
    } while (cursor !== '')
    return all.toReversed()
  }
}
