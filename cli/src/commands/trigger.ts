import { Argument, type Command } from 'commander'
import type { EventType, Quittance } from 'quittance'
import { connect, requireTest } from '../connection.ts'
import { formatOf, note, print, printJson } from '../output.ts'
import { Problem } from '../problem.ts'

/** The objects that a trigger makes: their ids by name. */
type Made = Readonly<Record<string, string>>
type Trigger = (quittance: Quittance) => Promise<Made>

const APPROVED = '4242424242424242'
const DECLINED = '4000000000000341'
const REFUSED_BY_THE_ISSUER = '4000000000000002'

export function addTrigger(program: Command): void {
  program
    .command('trigger')
    .description('make an event happen in the sandbox, with new objects; without a type, list the types')
    .addArgument(new Argument('[type]', 'such as order.paid').choices(Object.keys(TRIGGERS)))
    .option('--json', 'print JSON')
    .action(async (type: string | undefined, options: { json?: boolean }, command: Command) => {
      if (type === undefined) {
        for (const name of Object.keys(TRIGGERS)) print(name)
        return
      }
      const trigger = TRIGGERS[type as EventType]
      if (trigger === undefined) throw new Problem(`"${type}" cannot be triggered.`)
      const connection = await connect(command)
      requireTest(connection, 'A trigger')
      const made = await trigger(connection.quittance)
      if (formatOf(options) === 'json') return printJson({ type, ...made })
      note(`${type} was triggered:`)
      for (const [name, id] of Object.entries(made)) print(`  ${name} ${id}`)
    })
}

const TRIGGERS: Readonly<Partial<Record<EventType, Trigger>>> = {
  'order.created': async (q) => ({ order: (await newOrder(q)).number }),
  'order.paid': (q) => pay(q, APPROVED),
  'order.voided': async (q) => {
    const { number } = await newOrder(q)
    await q.orders.void(number)
    return { order: number }
  },
  'order.refunded': async (q) => {
    const made = await pay(q, APPROVED)
    await q.transactions.refund(made['transaction'] ?? '', { amount: '150.50' })
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
    await q.transactions.void(made['transaction'] ?? '')
    return made
  },
  'payment_token.active': (q) => newToken(q, APPROVED),
  'payment_token.failed': (q) => newToken(q, REFUSED_BY_THE_ISSUER),
  'plan.created': (q) => newPlan(q, APPROVED),
  'plan.paused': async (q) => {
    const made = await newPlan(q, APPROVED)
    await q.plans.pause(made['plan'] ?? '')
    return made
  },
  'plan.resumed': async (q) => {
    const made = await newPlan(q, APPROVED)
    await q.plans.pause(made['plan'] ?? '')
    await q.plans.resume(made['plan'] ?? '')
    return made
  },
  'plan.canceled': async (q) => {
    const made = await newPlan(q, APPROVED)
    await q.plans.cancel(made['plan'] ?? '', { at_period_end: false })
    return made
  },
  'plan.trial_will_end': (q) => newPlan(q, APPROVED, { trial: { days: 2 } }),
  'plan.trial_ended': async (q) => {
    const made = await newPlan(q, APPROVED, { trial: { days: 30 } })
    await q.plans.moveTrial(made['plan'] ?? '', { until: '2000-01-01' })
    return made
  },
  'plan.reactivated': async (q) => {
    const made = await newPlan(q, APPROVED)
    await q.plans.cancel(made['plan'] ?? '')
    await q.plans.reactivate(made['plan'] ?? '')
    return made
  },
  'cycle.activated': (q) => newPlan(q, APPROVED),
  'cycle.past_due': (q) => newPlan(q, DECLINED),
  'card.linked': newCard,
  'card.status_changed': async (q) => {
    const made = await newCard(q)
    await q.cards.setStatus(made['card'] ?? '', { status: 'Locked' })
    return made
  },
  'card.limit_changed': async (q) => {
    const made = await newCard(q)
    await q.cards.addLimit(made['card'] ?? '', { period: 'Daily', limit_amount: '30' })
    return made
  },
  'card.authorization.approved': (q) => authorize(q, undefined),
  'card.authorization.declined': (q) => authorize(q, '1'),
}

async function newCustomer(q: Quittance): Promise<string> {
  const { uuid } = await q.customers.create({
    reference_number: reference('customer'),
    name: 'Chan Tai Man',
    phone: '91234567',
    email: 'chan.tai.man@example.com',
  })
  return uuid
}

async function newToken(q: Quittance, number: string) {
  const customer = await newCustomer(q)
  const { token } = await q.paymentTokens.create(customer, {
    token_type: 'CreditCard',
    credit_card: {
      number,
      exp_month: '12',
      exp_year: '2040',
      cvc: '123',
      holder_name: 'CHAN TAI MAN',
      billing_currency: 'HKD',
    },
  })
  return { customer, token }
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

async function pay(q: Quittance, card: string, type: 'Sales' | 'Authorization' = 'Sales'): Promise<Made> {
  const { customer, token } = await newToken(q, card)
  const { number } = await newOrder(q, customer)
  const { transaction } = await q.orders.pay(number, { type, payment_token: token })
  return { order: number, transaction: transaction.uuid, customer, token }
}

async function newPlan(
  q: Quittance,
  card: string,
  members: { trial?: { days: number } } = {},
): Promise<Made> {
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

async function newCard(q: Quittance): Promise<Made> {
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

async function authorize(q: Quittance, dailyLimit: string | undefined): Promise<Made> {
  const made = await newCard(q)
  const card = made['card'] ?? ''
  if (dailyLimit !== undefined) await q.cards.addLimit(card, { period: 'Daily', limit_amount: dailyLimit })
  const { uuid } = await q.cardAuthorizations.create(card, {
    amount: '12.50',
    currency: 'HKD',
    merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
    reference_id: reference('authorization'),
  })
  return { ...made, authorization: uuid }
}

function reference(what: string): string {
  return `trigger-${what}-${crypto.randomUUID().slice(0, 13)}`
}

/** The trigger asks for the decline. */
function ignoreDecline(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'PaymentDeclinedError') throw error
}
