import type { Quittance } from './quittance.ts'
import type { EventType } from './webhooks.ts'

/** Ids by name, first that of the event's object. */
export type Made = Readonly<Record<string, string>>
type Trigger = (quittance: Quittance) => Promise<Made>

const APPROVED = '4242424242424242'
const DECLINED = '4000000000000341'
const REFUSED_BY_THE_ISSUER = '4000000000000002'
const DISPUTED = '4000000000000259'
const DISPUTED_AND_WON = '4000000000007106'
const DISPUTED_AND_LOST = '4000000000007205'
const MAX_INVOICES = 100
const TRIES = 100
const WAIT_MS = 200

/**
 * Makes an event happen, or a settlement of the simulator with differences, in a test environment, in the ways that it happens otherwise: a payer disputes a payment, a bank
 * statement is uploaded. The objects are new ones, except that `bank_entry.matched` pays all open invoices.
 */
export const triggers = {
  'order.created': async (q) => ({ order: (await newOrder(q)).number }),
  'order.paid': (q) => pay(q, APPROVED),
  'order.voided': async (q) => {
    const { number } = await newOrder(q)
    await q.orders.void(number)
    return { order: number }
  },
  'order.refunded': async (q) => {
    const made = await pay(q, APPROVED)
    await q.transactions.refund(made.transaction, { amount: '150.50' })
    return made
  },
  'transaction.succeeded': (q) => pay(q, APPROVED),
  'transaction.failed': async (q) => {
    const { customer, token } = await newToken(q, DECLINED)
    const { number } = await newOrder(q, customer)
    await q.orders.pay(number, { type: 'Sales', payment_token: token }).catch(ignoreDecline)
    return { order: number, customer, token }
  },
  'transaction.voided': async (q) => {
    const made = await pay(q, APPROVED, 'Authorization')
    await q.transactions.void(made.transaction)
    return made
  },
  'payment_token.active': (q) => newToken(q, APPROVED),
  'payment_token.failed': (q) => newToken(q, REFUSED_BY_THE_ISSUER),
  'dispute.opened': (q) => dispute(q, DISPUTED),
  'dispute.won': (q) => dispute(q, DISPUTED_AND_WON),
  'dispute.lost': (q) => dispute(q, DISPUTED_AND_LOST),
  'plan.created': (q) => newPlan(q, APPROVED),
  'plan.paused': async (q) => {
    const made = await newPlan(q, APPROVED)
    await q.plans.pause(made.plan)
    return made
  },
  'plan.resumed': async (q) => {
    const made = await newPlan(q, APPROVED)
    await q.plans.pause(made.plan)
    await q.plans.resume(made.plan)
    return made
  },
  'plan.canceled': async (q) => {
    const made = await newPlan(q, APPROVED)
    await q.plans.cancel(made.plan, { at_period_end: false })
    return made
  },
  'plan.trial_will_end': (q) => newPlan(q, APPROVED, { trial: { days: 2 } }),
  'plan.trial_ended': async (q) => {
    const made = await newPlan(q, APPROVED, { trial: { days: 30 } })
    await q.plans.moveTrial(made.plan, { until: '2000-01-01' })
    return made
  },
  'plan.reactivated': async (q) => {
    const made = await newPlan(q, APPROVED)
    await q.plans.cancel(made.plan)
    await q.plans.reactivate(made.plan)
    return made
  },
  'cycle.activated': (q) => newPlan(q, APPROVED),
  'cycle.past_due': (q) => newPlan(q, DECLINED),
  'invoice.issued': async (q) => ({ invoice: (await newInvoice(q)).id }),
  'bank_entry.matched': payOpenInvoices,
  'message.bounced': bounce,
  'card.linked': newCard,
  'card.status_changed': async (q) => {
    const made = await newCard(q)
    await q.cards.setStatus(made.card, { status: 'Locked' })
    return made
  },
  'card.limit_changed': async (q) => {
    const made = await newCard(q)
    await q.cards.addLimit(made.card, { period: 'Daily', limit_amount: '30' })
    return made
  },
  'card.authorization.approved': (q) => authorize(q, undefined),
  'card.authorization.declined': (q) => authorize(q, '1'),
  'wallet.transaction.confirmed': deposit,
  settlement: settle,
} as const satisfies Partial<Record<EventType | 'settlement', Trigger>>

async function newCustomer(q: Quittance, email: string): Promise<string> {
  const { uuid } = await q.customers.create({
    reference_number: reference('customer'),
    name: 'Chan Tai Man',
    phone: '91234567',
    email,
  })
  return uuid
}

async function newToken(q: Quittance, number: string, email = 'chan.tai.man@example.com') {
  const customer = await newCustomer(q, email)
  const { token } = await q.paymentTokens.create(customer, {
    token_type: 'CreditCard',
    credit_card: {
      number,
      exp_month: '12',
      exp_year: '2049',
      cvc: '123',
      holder_name: 'CHAN TAI MAN',
      billing_currency: 'HKD',
    },
  })
  return { token, customer }
}

async function newOrder(q: Quittance, customer?: string) {
  const { order } = await q.orders.create({
    reference_number: reference('order'),
    currency: 'HKD',
    initial_total: '150.50',
    ...(customer !== undefined && { customer_uuid: customer }),
  })
  return order
}

async function pay(q: Quittance, card: string, type: 'Sales' | 'Authorization' = 'Sales', email?: string) {
  const { customer, token } = await newToken(q, card, email)
  const { number } = await newOrder(q, customer)
  const { transaction } = await q.orders.pay(number, { type, payment_token: token })
  return { order: number, transaction: transaction.uuid, customer, token }
}

async function dispute(q: Quittance, card: string) {
  const made = await pay(q, card)
  const filter = `order_number = "${made.order}"`
  const { id } = await firstOf(() => q.disputes.list({ filter }))
  return { dispute: id, ...made }
}

/** A payment is paid out with another amount, one is paid out that nobody made, and a lost dispute takes nothing. */
async function settle(q: Quittance): Promise<Made> {
  const account = { acquirer_account_id: 'simulator' } as const
  await q.reconciliations.run(account)
  const before = new Set((await q.reconciliations.list(account)).data.map(({ id }) => id))
  const { order } = await pay(q, APPROVED)
  const { dispute: lost } = await dispute(q, DISPUTED_AND_LOST)
  const { id } = await firstOf(async () => {
    // A run that was under way may have missed the payout.
    await q.reconciliations.run(account)
    const { data } = await q.reconciliations.list(account)
    return { data: data.filter((one) => one.payout?.lines === 'complete' && !before.has(one.id)) }
  })
  return { reconciliation: id, order, dispute: lost }
}

async function newInvoice(q: Quittance) {
  const customer = await newCustomer(q, 'chan.tai.man@example.com')
  const { data } = await q.legalEntities.list({ limit: 1 })
  const seller =
    data[0] ??
    (await q.legalEntities.create({
      name: 'Sandbox Ltd',
      address: { line1: '1 Queen’s Road Central', city: 'Hong Kong', country: 'HK' },
      registrations: [],
    }))
  return q.invoices.create({
    customer_uuid: customer,
    legal_entity_id: seller.id,
    currency: 'HKD',
    collection: 'send_invoice',
    lines: [{ label: 'Consulting', quantity: '1', unit_amount: '150.50' }],
  })
}

/** Uploads the statement that a bank would send if all open invoices were paid. */
async function payOpenInvoices(q: Quittance): Promise<Made> {
  const filter = 'type = "invoice" AND state = "open" AND amount_due > 0'
  const listed = await q.invoices.list({ filter, limit: MAX_INVOICES })
  const open = listed.data.length > 0 ? listed.data : [await newInvoice(q)]
  const issued = open.filter((document) => document.state !== 'draft')
  const rows = issued.map((invoice) => [
    invoice.issue_date,
    invoice.amount_due,
    invoice.currency,
    invoice.payment_reference,
    reference('transfer'),
  ])
  const header = ['booking_date', 'amount', 'currency', 'remittance', 'bank_reference']
  const content = [header, ...rows].map((row) => row.join(',')).join('\n')
  const statement = await q.bankStatements.import({ format: 'csv', content })
  const entry = await firstOf(() => q.bankEntries.list({ filter: `bank_statement_id = "${statement.id}"` }))
  return { entry: entry.id, statement: statement.id }
}

/** Has receipts made, if they are not yet, and reports one as returned. */
async function bounce(q: Quittance): Promise<Made> {
  const { enabled } = await q.messageSettings.get()
  if (!enabled.includes('receipt')) await q.messageSettings.update({ enabled: [...enabled, 'receipt'] })
  const { order, customer } = await pay(q, APPROVED, 'Sales', `${reference('bounce')}@example.com`)
  const message = await firstOf(() => q.messages.list({ filter: `object_id = "${order}"` }))
  await q.messages.reportBounce({ message_id: message.message_id, kind: 'hard' })
  return { message: message.id, order, customer }
}

async function newPlan(q: Quittance, card: string, members: { trial?: { days: number } } = {}) {
  const { customer, token } = await newToken(q, card)
  const item = await q.recurringItems.create({ label: 'Membership', price: '88', currency: 'HKD' })
  const plan = await q.plans.create({
    name: 'Membership',
    customer_uuid: customer,
    default_collection_method: 'charge_automatically',
    payment_retry_count: 3,
    payment_retry_day_period: 1,
    grace_period: 7,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: item.id, quantity: 1 }],
      },
    ],
    ...members,
  })
  return { plan: plan.id, customer, token }
}

async function newCard(q: Quittance) {
  const referenceId = reference('card')
  const card = await q.cards.create({
    reference_id: referenceId,
    type: 'virtual',
    settlement_currency: 'HKD',
    mode: 'B2C',
  })
  const user = reference('user')
  await q.cards.link({ card_reference_id: referenceId, p_user_id: user })
  return { card: card.id, user }
}

async function authorize(q: Quittance, dailyLimit: string | undefined) {
  const made = await newCard(q)
  if (dailyLimit !== undefined)
    await q.cards.addLimit(made.card, { period: 'Daily', limit_amount: dailyLimit })
  const { uuid } = await q.cardAuthorizations.create(made.card, {
    amount: '12.50',
    currency: 'HKD',
    merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
    reference_id: reference('authorization'),
  })
  return { ...made, authorization: uuid }
}

/** Needs a chain of the sandbox's own. */
async function deposit(q: Quittance) {
  const user = reference('user')
  const { id: wallet } = await q.wallets.create({ p_user_id: user })
  await q.sandbox.sendDeposit({ wallet_id: wallet, amount: '0.5' })
  const query = { p_user_id: user, wallet_id: wallet }
  const { id } = await firstOf(() => q.wallets.listTransactions(query))
  return { transaction: id, wallet, user }
}

/** What the service makes by itself is listed a moment later. */
async function firstOf<Item>(list: () => PromiseLike<{ readonly data: readonly Item[] }>): Promise<Item> {
  for (let tries = 0; tries < TRIES; tries++) {
    const [first] = (await list()).data
    if (first !== undefined) return first
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  throw new Error('The service has not made what was triggered.')
}

function reference(what: string): string {
  return `trigger-${what}-${crypto.randomUUID().slice(0, 13)}`
}

/** The trigger asks for the decline. */
function ignoreDecline(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'PaymentDeclinedError') throw error
}
