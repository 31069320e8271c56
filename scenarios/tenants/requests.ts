import { randomUUID } from 'node:crypto'
import { PAYMENTS } from '../harness/client.ts'

export const RECURRING = `${PAYMENTS}/recurring_payments`
export const CATALOGUE = '/svc/billing/api/v1/openapi'
export const INVOICE = { currency: 'HKD', lines: [{ label: 'Setup', quantity: 1, unit_amount: 10 }] }
export const EVENTS = '/svc/event/api/v1/openapi'
export const CARDS = '/svc/ts/api/v1/openapi/cards'
export const WALLETS = '/svc/ts/api/v1/openapi/digital_wallets'
export const ACCOUNTS = '/svc/account/api/v1/openapi/acquirer_accounts'
export const API_KEYS = '/svc/account/api/v1/openapi/api_keys'
export const LOGS = '/svc/log/api/v1/openapi'
export const MEMBERS = '/svc/account/api/v1/openapi/members'
export const INVITATIONS = '/svc/account/api/v1/openapi/invitations'
export const PRIVACY = '/svc/privacy/api/v1/openapi'
export const BULK_ACTIONS = {
  bulkPayments: `${PAYMENTS}/bulk_actions`,
  bulkPlans: `${RECURRING}/bulk_actions`,
  bulkDeliveries: `${EVENTS}/bulk_actions`,
} as const

export type Ids = Record<
  | 'customer'
  | 'customerReference'
  | 'token'
  | 'note'
  | 'order'
  | 'orderReference'
  | 'transaction'
  | 'transactionReference'
  | 'plan'
  | 'planOrder'
  | 'item'
  | 'product'
  | 'dunningPolicy'
  | 'coupon'
  | 'promotionCode'
  | 'legalEntity'
  | 'taxRate'
  | 'invoice'
  | 'message'
  | 'bankStatement'
  | 'bankEntry'
  | 'config'
  | 'endpoint'
  | 'delivery'
  | 'event'
  | 'eventObject'
  | 'card'
  | 'cardReference'
  | 'limit'
  | 'authorization'
  | 'wallet'
  | 'acquirerAccount'
  | 'request'
  | 'apiKey'
  | 'member'
  | 'invitation'
  | 'bulkPayments'
  | 'bulkPlans'
  | 'bulkDeliveries'
  | 'erasure'
  | 'heldCustomer',
  string
>
export const USER = 'user-1'
export type RequestOf = (ids: Ids, own: Ids) => { path: string; body?: unknown }

export function authorize() {
  return {
    authorization: {
      amount: '10.00',
      currency: 'HKD',
      merchant: { name: 'Shop', mcc: '5411', country: 'HK' },
      reference_id: randomUUID(),
    },
  }
}

const order = (ids: Ids) => ({ number: ids.order })
const planChange = (item: string | undefined) => ({
  change: { recurring_items: [{ recurring_item_id: item, quantity: 7 }] },
})
const coupon = (members: object) => ({ coupon: { name: 'Other', percent_off: 5, ...members } })

const plan = (own: Ids, members: object) => ({
  plan: {
    name: 'Plan',
    customer_uuid: own.customer,
    default_collection_method: 'charge_automatically',
    payment_retry_count: 1,
    payment_retry_day_period: 1,
    recurring_cycles: [
      {
        billing_count: 1,
        recurring_billing_config: own.config,
        recurring_items: [{ recurring_item_id: own.item, quantity: 1 }],
      },
    ],
    ...members,
  },
})
const cycle = (config: string, item: string) => ({
  recurring_cycles: [
    {
      billing_count: 1,
      recurring_billing_config: config,
      recurring_items: [{ recurring_item_id: item, quantity: 1 }],
    },
  ],
})
const limits = (id: string) => ({ limits: [{ id, period: 'Daily', limit_amount: '50.00' }] })
const newOrder = (members: object) => ({
  order: { reference_number: `tenant-${randomUUID()}`, currency: 'HKD', initial_total: 1, ...members },
})

/** The actions with a result for each of their ids, each with an action and the kind of its ids. */
export const BULK_IDS: Readonly<Record<string, { readonly action: string; readonly id: keyof Ids }>> = {
  [`POST ${BULK_ACTIONS.bulkPayments}`]: { action: 'void', id: 'order' },
  [`POST ${BULK_ACTIONS.bulkPlans}`]: { action: 'cancel', id: 'plan' },
  [`POST ${BULK_ACTIONS.bulkDeliveries}`]: { action: 'redeliver', id: 'delivery' },
}

/** One request for each id that an operation takes. `own` holds the objects of the caller. */
export const REQUESTS: Record<string, RequestOf[]> = {
  [`PUT ${PAYMENTS}/customers/{id}`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}`, body: { name: 'x', phone: '1' } }),
    (ids, own) => ({
      path: `${PAYMENTS}/customers/${own.customer}`,
      body: { name: 'x', phone: '1', default_payment_token: ids.token },
    }),
  ],
  [`POST ${CATALOGUE}/portal/sessions`]: [
    (ids) => ({
      path: `${CATALOGUE}/portal/sessions`,
      body: { portal_session: { customer_uuid: ids.customer } },
    }),
    (ids, own) => ({
      path: `${CATALOGUE}/portal/sessions`,
      body: { portal_session: { customer_uuid: own.customer, plan_id: ids.plan } },
    }),
  ],
  [`GET ${PAYMENTS}/customers/ref/{id}`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/ref/${ids.customerReference}` }),
  ],
  [`GET ${PAYMENTS}/customers/{uuid}/payment_tokens`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/payment_tokens` }),
  ],
  [`POST ${PAYMENTS}/customers/{uuid}/payment_tokens`]: [
    (ids) => ({
      path: `${PAYMENTS}/customers/${ids.customer}/payment_tokens`,
      body: { payment_token: { token_type: 'WalletAPayAutoDebit' } },
    }),
  ],
  [`DELETE ${PAYMENTS}/customers/{uuid}/payment_tokens/{token}`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/payment_tokens/${ids.token}` }),
    (ids, own) => ({ path: `${PAYMENTS}/customers/${own.customer}/payment_tokens/${ids.token}` }),
  ],
  [`GET ${PRIVACY}/customers/{uuid}/erasure_check`]: [
    (ids) => ({ path: `${PRIVACY}/customers/${ids.customer}/erasure_check` }),
  ],
  [`POST ${PRIVACY}/customers/{uuid}/erasures`]: [
    (ids) => ({ path: `${PRIVACY}/customers/${ids.customer}/erasures` }),
  ],
  [`GET ${PRIVACY}/erasures/{id}`]: [(ids) => ({ path: `${PRIVACY}/erasures/${ids.erasure}` })],
  [`PUT ${PRIVACY}/customers/{uuid}/legal_hold`]: [
    (ids) => ({
      path: `${PRIVACY}/customers/${ids.customer}/legal_hold`,
      body: { legal_hold: { reason: 'x' } },
    }),
  ],
  [`DELETE ${PRIVACY}/customers/{uuid}/legal_hold`]: [
    (ids) => ({ path: `${PRIVACY}/customers/${ids.heldCustomer}/legal_hold` }),
  ],
  [`POST ${PAYMENTS}/orders`]: [
    (ids) => ({ path: `${PAYMENTS}/orders`, body: newOrder({ customer_uuid: ids.customer }) }),
  ],
  [`POST ${PAYMENTS}/orders/check`]: [
    (ids) => ({ path: `${PAYMENTS}/orders/check`, body: { order: order(ids) } }),
    (ids) => ({
      path: `${PAYMENTS}/orders/check`,
      body: { order: { reference_number: ids.orderReference } },
    }),
    (ids) => ({ path: `${PAYMENTS}/orders/check`, body: { transaction: { uuid: ids.transaction } } }),
  ],
  [`POST ${PAYMENTS}/orders/pay`]: [
    (ids, own) => ({
      path: `${PAYMENTS}/orders/pay`,
      body: { order: order(ids), transaction: { type: 'Sales', payment_token: own.token } },
    }),
    (ids, own) => ({
      path: `${PAYMENTS}/orders/pay`,
      body: { order: order(own), transaction: { type: 'Sales', payment_token: ids.token } },
    }),
  ],
  [`POST ${PAYMENTS}/orders/void`]: [
    (ids) => ({ path: `${PAYMENTS}/orders/void`, body: { order: order(ids) } }),
  ],
  [`POST ${PAYMENTS}/transactions/decide`]: [
    (ids) => ({
      path: `${PAYMENTS}/transactions/decide`,
      body: { transaction: { uuid: ids.transaction }, outcome: 'failed' },
    }),
  ],
  ...Object.fromEntries(
    ['capture', 'refund', 'void'].map((operation) => [
      `POST ${PAYMENTS}/transactions/${operation}`,
      [
        (ids: Ids) => ({
          path: `${PAYMENTS}/transactions/${operation}`,
          body: { transaction: { uuid: ids.transaction } },
        }),
        (ids: Ids) => ({
          path: `${PAYMENTS}/transactions/${operation}`,
          body: { transaction: { reference_id: ids.transactionReference } },
        }),
      ],
    ]),
  ),
  [`GET ${CATALOGUE}/products/{id}`]: [(ids) => ({ path: `${CATALOGUE}/products/${ids.product}` })],
  [`PUT ${CATALOGUE}/products/{id}`]: [
    (ids) => ({ path: `${CATALOGUE}/products/${ids.product}`, body: { product: { name: 'Other' } } }),
  ],
  [`POST ${CATALOGUE}/products/{id}/archive`]: [
    (ids) => ({ path: `${CATALOGUE}/products/${ids.product}/archive` }),
  ],
  [`POST ${CATALOGUE}/prices`]: [
    (ids) => ({
      path: `${CATALOGUE}/prices`,
      body: { price: { product_id: ids.product, currency: 'HKD', model: 'flat', unit_amount: 1 } },
    }),
  ],
  [`GET ${CATALOGUE}/prices/{id}`]: [(ids) => ({ path: `${CATALOGUE}/prices/${ids.item}` })],
  [`POST ${CATALOGUE}/prices/{id}/versions`]: [
    (ids) => ({ path: `${CATALOGUE}/prices/${ids.item}/versions`, body: { price: { unit_amount: 1 } } }),
  ],
  [`GET ${CATALOGUE}/dunning_policies/{id}`]: [
    (ids) => ({ path: `${CATALOGUE}/dunning_policies/${ids.dunningPolicy}` }),
  ],
  [`PUT ${CATALOGUE}/dunning_policies/{id}`]: [
    (ids) => ({
      path: `${CATALOGUE}/dunning_policies/${ids.dunningPolicy}`,
      body: { dunning_policy: { name: 'Other' } },
    }),
  ],
  [`GET ${CATALOGUE}/legal_entities/{id}`]: [
    (ids) => ({ path: `${CATALOGUE}/legal_entities/${ids.legalEntity}` }),
  ],
  [`PUT ${CATALOGUE}/legal_entities/{id}`]: [
    (ids) => ({
      path: `${CATALOGUE}/legal_entities/${ids.legalEntity}`,
      body: { legal_entity: { name: 'Other' } },
    }),
  ],
  [`PUT ${CATALOGUE}/settings`]: [
    (ids) => ({
      path: `${CATALOGUE}/settings`,
      body: { settings: { legal_entity_id: ids.legalEntity } },
    }),
  ],
  [`GET ${CATALOGUE}/messages/{id}`]: [(ids) => ({ path: `${CATALOGUE}/messages/${ids.message}` })],
  [`POST ${CATALOGUE}/messages/{id}/resend`]: [
    (ids) => ({ path: `${CATALOGUE}/messages/${ids.message}/resend` }),
  ],
  [`POST ${CATALOGUE}/messages/bounces`]: [
    (ids) => ({
      path: `${CATALOGUE}/messages/bounces`,
      body: { bounce: { message_id: ids.message, kind: 'hard' } },
    }),
  ],
  [`GET ${CATALOGUE}/tax_rates/{id}`]: [(ids) => ({ path: `${CATALOGUE}/tax_rates/${ids.taxRate}` })],
  [`DELETE ${CATALOGUE}/tax_rates/{id}`]: [(ids) => ({ path: `${CATALOGUE}/tax_rates/${ids.taxRate}` })],
  [`PUT ${CATALOGUE}/tax_rates/{id}`]: [
    (ids) => ({
      path: `${CATALOGUE}/tax_rates/${ids.taxRate}`,
      body: { tax_rate: { valid_until: '2040-01-01' } },
    }),
  ],
  [`GET ${CATALOGUE}/customers/{uuid}/billing_details`]: [
    (ids) => ({ path: `${CATALOGUE}/customers/${ids.customer}/billing_details` }),
  ],
  [`PUT ${CATALOGUE}/customers/{uuid}/billing_details`]: [
    (ids) => ({
      path: `${CATALOGUE}/customers/${ids.customer}/billing_details`,
      body: { billing_details: { language: 'de' } },
    }),
  ],
  [`POST ${CATALOGUE}/invoices`]: [
    (ids) => ({
      path: `${CATALOGUE}/invoices`,
      body: { invoice: { ...INVOICE, customer_uuid: ids.customer } },
    }),
    (ids, own) => ({
      path: `${CATALOGUE}/invoices`,
      body: { invoice: { ...INVOICE, customer_uuid: own.customer, legal_entity_id: ids.legalEntity } },
    }),
  ],
  [`GET ${CATALOGUE}/invoices/{id}`]: [(ids) => ({ path: `${CATALOGUE}/invoices/${ids.invoice}` })],
  [`GET ${CATALOGUE}/invoices/{id}/document`]: [
    (ids) => ({ path: `${CATALOGUE}/invoices/${ids.invoice}/document?format=ubl` }),
  ],
  [`POST ${CATALOGUE}/invoices/preview`]: [
    (ids) => ({
      path: `${CATALOGUE}/invoices/preview`,
      body: { invoice: { ...INVOICE, customer_uuid: ids.customer } },
    }),
    (ids, own) => ({
      path: `${CATALOGUE}/invoices/preview`,
      body: { invoice: { ...INVOICE, customer_uuid: own.customer, legal_entity_id: ids.legalEntity } },
    }),
  ],
  [`PUT ${CATALOGUE}/invoices/{id}`]: [
    (ids, own) => ({
      path: `${CATALOGUE}/invoices/${ids.invoice}`,
      body: { invoice: { ...INVOICE, customer_uuid: own.customer } },
    }),
  ],
  [`DELETE ${CATALOGUE}/invoices/{id}`]: [(ids) => ({ path: `${CATALOGUE}/invoices/${ids.invoice}` })],
  [`POST ${CATALOGUE}/invoices/{id}/issue`]: [
    (ids) => ({ path: `${CATALOGUE}/invoices/${ids.invoice}/issue` }),
  ],
  [`POST ${CATALOGUE}/invoices/{id}/payments`]: [
    (ids) => ({
      path: `${CATALOGUE}/invoices/${ids.invoice}/payments`,
      body: { payment: { method: 'cash', amount: 1 } },
    }),
  ],
  [`POST ${CATALOGUE}/invoices/{id}/write_off`]: [
    (ids) => ({ path: `${CATALOGUE}/invoices/${ids.invoice}/write_off`, body: { reason: 'Cents' } }),
  ],
  [`POST ${CATALOGUE}/transactions/{uuid}/undo`]: [
    (ids) => ({ path: `${CATALOGUE}/transactions/${ids.transaction}/undo` }),
  ],
  [`POST ${CATALOGUE}/orders/{number}/repayments`]: [
    (ids) => ({ path: `${CATALOGUE}/orders/${ids.order}/repayments`, body: { repayment: { amount: 1 } } }),
  ],
  [`POST ${CATALOGUE}/orders/{number}/overpayment`]: [
    (ids, own) => ({ path: `${CATALOGUE}/orders/${ids.order}/overpayment`, body: { plan_id: own.plan } }),
  ],
  [`POST ${CATALOGUE}/invoices/{id}/reissue`]: [
    (ids) => ({ path: `${CATALOGUE}/invoices/${ids.invoice}/reissue`, body: {} }),
  ],
  [`POST ${CATALOGUE}/invoices/{id}/reissue/preview`]: [
    (ids) => ({ path: `${CATALOGUE}/invoices/${ids.invoice}/reissue/preview`, body: {} }),
  ],
  [`POST ${CATALOGUE}/invoices/{id}/credit_notes`]: [
    (ids) => ({
      path: `${CATALOGUE}/invoices/${ids.invoice}/credit_notes`,
      body: { credit_note: { reason: 'Returned' } },
    }),
  ],
  [`GET ${CATALOGUE}/bank_statements/{id}`]: [
    (ids) => ({ path: `${CATALOGUE}/bank_statements/${ids.bankStatement}` }),
  ],
  [`GET ${CATALOGUE}/bank_entries/{id}`]: [(ids) => ({ path: `${CATALOGUE}/bank_entries/${ids.bankEntry}` })],
  [`POST ${CATALOGUE}/bank_entries/{id}/match`]: [
    (ids) => ({
      path: `${CATALOGUE}/bank_entries/${ids.bankEntry}/match`,
      body: { invoices: [{ id: ids.invoice, amount: 1 }] },
    }),
    (ids, own) => ({
      path: `${CATALOGUE}/bank_entries/${own.bankEntry}/match`,
      body: { invoices: [{ id: ids.invoice, amount: 1 }] },
    }),
  ],
  [`POST ${CATALOGUE}/bank_entries/{id}/unmatch`]: [
    (ids) => ({ path: `${CATALOGUE}/bank_entries/${ids.bankEntry}/unmatch` }),
  ],
  [`POST ${CATALOGUE}/bank_entries/{id}/ignore`]: [
    (ids) => ({ path: `${CATALOGUE}/bank_entries/${ids.bankEntry}/ignore` }),
  ],
  [`GET ${CATALOGUE}/coupons/{id}`]: [(ids) => ({ path: `${CATALOGUE}/coupons/${ids.coupon}` })],
  [`PUT ${CATALOGUE}/coupons/{id}`]: [
    (ids) => ({ path: `${CATALOGUE}/coupons/${ids.coupon}`, body: { coupon: { name: 'Other' } } }),
  ],
  [`POST ${CATALOGUE}/coupons`]: [
    (ids) => ({ path: `${CATALOGUE}/coupons`, body: coupon({ product_ids: [ids.product] }) }),
    (ids) => ({ path: `${CATALOGUE}/coupons`, body: coupon({ customer_uuids: [ids.customer] }) }),
  ],
  [`POST ${CATALOGUE}/promotion_codes`]: [
    (ids) => ({
      path: `${CATALOGUE}/promotion_codes`,
      body: { promotion_code: { coupon_id: ids.coupon, code: randomUUID() } },
    }),
    (ids, own) => ({
      path: `${CATALOGUE}/promotion_codes`,
      body: {
        promotion_code: { coupon_id: own.coupon, code: randomUUID(), customer_uuid: ids.customer },
      },
    }),
  ],
  [`GET ${CATALOGUE}/promotion_codes/{id}`]: [
    (ids) => ({ path: `${CATALOGUE}/promotion_codes/${ids.promotionCode}` }),
  ],
  [`POST ${RECURRING}/plan/{id}/coupons`]: [
    (ids, own) => ({ path: `${RECURRING}/plan/${ids.plan}/coupons`, body: { coupon: own.coupon } }),
    (ids, own) => ({ path: `${RECURRING}/plan/${own.plan}/coupons`, body: { coupon: ids.coupon } }),
  ],
  [`DELETE ${RECURRING}/plan/{id}/coupons/{coupon_id}`]: [
    (ids) => ({ path: `${RECURRING}/plan/${ids.plan}/coupons/${ids.coupon}` }),
  ],
  [`POST ${RECURRING}/plan`]: [
    (ids, own) => ({ path: `${RECURRING}/plan`, body: plan(own, { dunning_policy_id: ids.dunningPolicy }) }),
    (ids, own) => ({ path: `${RECURRING}/plan`, body: plan(own, { coupons: [ids.coupon] }) }),
    (ids, own) => ({
      path: `${RECURRING}/plan`,
      body: plan(own, { invoicing: { legal_entity_id: ids.legalEntity } }),
    }),
    (ids, own) => ({ path: `${RECURRING}/plan`, body: plan(own, { customer_uuid: ids.customer }) }),
    (ids, own) => ({ path: `${RECURRING}/plan`, body: plan(own, cycle(ids.config, own.item)) }),
    (ids, own) => ({ path: `${RECURRING}/plan`, body: plan(own, cycle(own.config, ids.item)) }),
  ],
  [`POST ${RECURRING}/plan/preview`]: [
    (ids, own) => ({
      path: `${RECURRING}/plan/preview`,
      body: plan(own, { customer_uuid: ids.customer }),
    }),
    (ids, own) => ({ path: `${RECURRING}/plan/preview`, body: plan(own, cycle(own.config, ids.item)) }),
  ],
  [`GET ${RECURRING}/plan/{id}`]: [(ids) => ({ path: `${RECURRING}/plan/${ids.plan}` })],
  [`PUT ${RECURRING}/plan/{id}`]: [
    (ids) => ({ path: `${RECURRING}/plan/${ids.plan}`, body: { plan: { name: 'Other' } } }),
  ],
  [`POST ${RECURRING}/plan/{id}/credit`]: [
    (ids) => ({ path: `${RECURRING}/plan/${ids.plan}/credit`, body: { amount: 1 } }),
  ],
  [`POST ${RECURRING}/plan/{id}/change`]: [
    (ids, own) => ({ path: `${RECURRING}/plan/${ids.plan}/change`, body: planChange(own.item) }),
    (ids, own) => ({ path: `${RECURRING}/plan/${own.plan}/change`, body: planChange(ids.item) }),
  ],
  [`POST ${RECURRING}/plan/{id}/change/preview`]: [
    (ids, own) => ({ path: `${RECURRING}/plan/${ids.plan}/change/preview`, body: planChange(own.item) }),
    (ids, own) => ({ path: `${RECURRING}/plan/${own.plan}/change/preview`, body: planChange(ids.item) }),
  ],
  [`DELETE ${RECURRING}/plan/{id}/change`]: [(ids) => ({ path: `${RECURRING}/plan/${ids.plan}/change` })],
  [`POST ${RECURRING}/plan/{id}/cancel`]: [
    (ids) => ({ path: `${RECURRING}/plan/${ids.plan}/cancel`, body: {} }),
  ],
  ...Object.fromEntries(
    ['pause', 'resume', 'uncancel', 'reactivate'].map((operation) => [
      `POST ${RECURRING}/plan/{id}/${operation}`,
      [(ids: Ids) => ({ path: `${RECURRING}/plan/${ids.plan}/${operation}` })],
    ]),
  ),
  [`POST ${RECURRING}/plan/{id}/trial`]: [
    (ids) => ({ path: `${RECURRING}/plan/${ids.plan}/trial`, body: { trial: { until: '2099-01-01' } } }),
  ],
  [`DELETE ${EVENTS}/endpoints/{id}`]: [(ids) => ({ path: `${EVENTS}/endpoints/${ids.endpoint}` })],
  [`POST ${EVENTS}/endpoints/{id}/rotate_secret`]: [
    (ids) => ({ path: `${EVENTS}/endpoints/${ids.endpoint}/rotate_secret` }),
  ],
  [`GET ${EVENTS}/events/{id}`]: [
    (ids) => ({ path: `${EVENTS}/events/${ids.event}?object_id=${ids.eventObject}` }),
  ],
  [`POST ${EVENTS}/deliveries/{id}/redeliver`]: [
    (ids) => ({ path: `${EVENTS}/deliveries/${ids.delivery}/redeliver` }),
  ],
  [`POST ${CARDS}/link`]: [
    (ids) => ({ path: `${CARDS}/link`, body: { card_reference_id: ids.cardReference, p_user_id: USER } }),
  ],
  [`GET ${CARDS}/{id}`]: [(ids) => ({ path: `${CARDS}/${ids.card}` })],
  [`PUT ${CARDS}/{id}`]: [(ids) => ({ path: `${CARDS}/${ids.card}`, body: { card: { title: 'Travel' } } })],
  [`POST ${CARDS}/{id}/status`]: [
    (ids) => ({ path: `${CARDS}/${ids.card}/status`, body: { status: 'Locked' } }),
  ],
  [`POST ${CARDS}/{id}/limits`]: [
    (ids) => ({
      path: `${CARDS}/${ids.card}/limits`,
      body: { limit: { period: 'Monthly', limit_amount: '5.00' } },
    }),
  ],
  [`PUT ${CARDS}/{id}/limits`]: [
    (ids) => ({ path: `${CARDS}/${ids.card}/limits`, body: limits(ids.limit) }),
    (ids, own) => ({ path: `${CARDS}/${own.card}/limits`, body: limits(ids.limit) }),
  ],
  [`GET ${CARDS}/{id}/limit/history`]: [
    (ids) => ({ path: `${CARDS}/${ids.card}/limit/history` }),
    (ids) => ({ path: `${CARDS}/${ids.limit}/limit/history` }),
  ],
  [`POST ${CARDS}/{id}/authorizations`]: [
    (ids) => ({ path: `${CARDS}/${ids.card}/authorizations`, body: authorize() }),
  ],
  [`GET ${CARDS}/{id}/authorizations`]: [(ids) => ({ path: `${CARDS}/${ids.card}/authorizations` })],
  ...Object.fromEntries(
    ['capture', 'refund', 'reverse'].map((operation) => [
      `POST ${CARDS}/authorizations/{uuid}/${operation}`,
      [(ids: Ids) => ({ path: `${CARDS}/authorizations/${ids.authorization}/${operation}`, body: {} })],
    ]),
  ),
  [`GET ${WALLETS}/transactions`]: [
    (ids) => ({ path: `${WALLETS}/transactions?p_user_id=${USER}&wallet_id=${ids.wallet}` }),
  ],
  [`GET ${WALLETS}/{id}/addresses/{blockchain}/qr`]: [
    (ids) => ({ path: `${WALLETS}/${ids.wallet}/addresses/test-chain/qr` }),
  ],
  [`GET ${ACCOUNTS}/{id}`]: [(ids) => ({ path: `${ACCOUNTS}/${ids.acquirerAccount}` })],
  [`PUT ${ACCOUNTS}/{id}`]: [
    (ids) => ({
      path: `${ACCOUNTS}/${ids.acquirerAccount}`,
      body: { acquirer_account: { name: 'Other' } },
    }),
  ],
  [`DELETE ${API_KEYS}/{id}`]: [(ids) => ({ path: `${API_KEYS}/${ids.apiKey}` })],
  [`GET ${LOGS}/requests/{request_id}`]: [(ids) => ({ path: `${LOGS}/requests/${ids.request}` })],
  [`DELETE ${ACCOUNTS}/{id}`]: [(ids) => ({ path: `${ACCOUNTS}/${ids.acquirerAccount}` })],
  [`POST ${RECURRING}/orders`]: [
    (ids) => ({
      path: `${RECURRING}/orders`,
      body: { customer_uuid: ids.customer, order: { number: ids.planOrder } },
    }),
    (ids, own) => ({
      path: `${RECURRING}/orders`,
      body: { customer_uuid: own.customer, order: { number: ids.planOrder } },
    }),
  ],
  [`GET ${PAYMENTS}/customers/{id}`]: [(ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}` })],
  [`GET ${PAYMENTS}/customers/{uuid}/spend`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/spend` }),
  ],
  [`GET ${PAYMENTS}/customers/{uuid}/timeline`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/timeline` }),
  ],
  [`GET ${PAYMENTS}/customers/{uuid}/notes`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/notes` }),
  ],
  [`POST ${PAYMENTS}/customers/{uuid}/notes`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/notes`, body: { note: { text: 'Ours' } } }),
  ],
  [`DELETE ${PAYMENTS}/customers/{uuid}/notes/{id}`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/notes/${ids.note}` }),
    (ids, own) => ({ path: `${PAYMENTS}/customers/${own.customer}/notes/${ids.note}` }),
  ],
  [`POST ${PAYMENTS}/customers/{uuid}/sessions`]: [
    (ids) => ({ path: `${PAYMENTS}/customers/${ids.customer}/sessions` }),
  ],
  [`POST ${RECURRING}/plan/{id}/retry`]: [
    (ids) => ({ path: `${RECURRING}/plan/${ids.plan}/retry`, body: {} }),
  ],
  [`GET ${WALLETS}/{id}`]: [(ids) => ({ path: `${WALLETS}/${ids.wallet}` })],
  [`GET ${PAYMENTS}/orders/{number}/timeline`]: [
    (ids) => ({ path: `${PAYMENTS}/orders/${ids.order}/timeline` }),
  ],
  [`GET ${RECURRING}/plan/{id}/timeline`]: [(ids) => ({ path: `${RECURRING}/plan/${ids.plan}/timeline` })],
  ...Object.fromEntries(
    (['bulkPayments', 'bulkPlans', 'bulkDeliveries'] as const).flatMap((kind) => [
      [`GET ${BULK_ACTIONS[kind]}/{id}`, [(ids: Ids) => ({ path: `${BULK_ACTIONS[kind]}/${ids[kind]}` })]],
      ...(['cancel', 'take_over'] as const).map((change) => [
        `POST ${BULK_ACTIONS[kind]}/{id}/${change}`,
        [(ids: Ids) => ({ path: `${BULK_ACTIONS[kind]}/${ids[kind]}/${change}` })],
      ]),
    ]),
  ),
  [`PUT ${MEMBERS}/{id}`]: [
    (ids) => ({ path: `${MEMBERS}/${ids.member}`, body: { member: { test_role: 'owner' } } }),
  ],
  ...Object.fromEntries(
    ['GET', 'DELETE'].map((method) => [
      `${method} ${MEMBERS}/{id}/sessions`,
      [(ids: Ids) => ({ path: `${MEMBERS}/${ids.member}/sessions` })],
    ]),
  ),
  [`DELETE ${INVITATIONS}/{id}`]: [(ids) => ({ path: `${INVITATIONS}/${ids.invitation}` })],
  [`DELETE ${MEMBERS}/{id}`]: [(ids) => ({ path: `${MEMBERS}/${ids.member}` })],
}
