import type { Quittance } from 'quittance'

const GOOD_CARD = '4242424242424242'
const POOR_CARD = '4000000000009995'
const REFUSED_CARD = '4000000000000002'

/**
 * Creates real objects in the test environment, so that a real event is written and delivered. Returns the object of
 * the event.
 */
type Recipe = (quittance: Quittance, name: string) => Promise<string>

export const RECIPES = {
  'order.created': async (quittance, name) => (await newOrder(quittance, name)).number,
  'order.paid': async (quittance, name) => (await payment(quittance, name)).number,
  'order.refunded': async (quittance, name) => {
    const { number, uuid } = await payment(quittance, name)
    await quittance.transactions.refund(uuid)
    return number
  },
  'order.voided': async (quittance, name) => {
    const { number } = await newOrder(quittance, name)
    await quittance.orders.void(number)
    return number
  },
  'transaction.failed': async (quittance, name) => {
    const { token } = await newToken(quittance, name, POOR_CARD)
    const { number } = await newOrder(quittance, name)
    await quittance.orders.pay(number, { type: 'Sales', payment_token: token }).catch(() => undefined)
    return number
  },
  'payment_token.active': async (quittance, name) => (await newToken(quittance, name, GOOD_CARD)).token,
  'payment_token.failed': async (quittance, name) => (await newToken(quittance, name, REFUSED_CARD)).token,
  'plan.created': async (quittance, name) => (await newPlan(quittance, name)).id,
  'plan.canceled': async (quittance, name) => {
    const { id } = await newPlan(quittance, name)
    await quittance.plans.cancel(id)
    return id
  },
  'card.linked': async (quittance, name) => (await newCard(quittance, name)).id,
  'card.authorization.approved': async (quittance, name) => {
    const { id } = await newCard(quittance, name)
    await authorize(quittance, id, name, '10.00')
    return id
  },
  'card.authorization.declined': async (quittance, name) => {
    const { id } = await newCard(quittance, name)
    await authorize(quittance, id, name, '9999.00')
    return id
  },
} as const satisfies Record<string, Recipe>

export type RecipeName = keyof typeof RECIPES

function newOrder(quittance: Quittance, name: string) {
  return quittance.orders
    .create({ reference_number: name, currency: 'HKD', initial_total: '100.00' })
    .then(({ order }) => order)
}

async function newToken(quittance: Quittance, name: string, number: string) {
  const customer = await quittance.customers.create({
    reference_number: name,
    name: 'Sandbox',
    phone: '91234567',
  })
  const exp_year = String(new Date().getFullYear() + 5)
  return quittance.paymentTokens.create(customer.uuid, {
    token_type: 'CreditCard',
    credit_card: {
      number,
      exp_month: '12',
      exp_year,
      cvc: '123',
      holder_name: 'SANDBOX',
      billing_currency: 'HKD',
    },
  })
}

async function payment(quittance: Quittance, name: string): Promise<{ number: string; uuid: string }> {
  const { token } = await newToken(quittance, name, GOOD_CARD)
  const { number } = await newOrder(quittance, name)
  const { transaction } = await quittance.orders.pay(number, { type: 'Sales', payment_token: token })
  return { number, uuid: transaction.uuid }
}

async function newPlan(quittance: Quittance, name: string) {
  const [customer, item] = await Promise.all([
    quittance.customers.create({ reference_number: name, name: 'Sandbox', phone: '91234567' }),
    quittance.recurringItems.create({ label: 'Sandbox', price: '10.00', currency: 'HKD' }),
  ])
  return quittance.plans.create({
    name,
    customer_uuid: customer.uuid,
    default_collection_method: 'charge_automatically',
    payment_retry_count: 3,
    payment_retry_day_period: 1,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: item.id, quantity: 1 }],
      },
    ],
  })
}

async function newCard(quittance: Quittance, name: string) {
  const card = await quittance.cards.create({
    reference_id: name,
    type: 'virtual',
    mode: 'B2C',
    settlement_currency: 'HKD',
    limits: [{ period: 'Daily', limit_amount: '1000.00' }],
  })
  await quittance.cards.link({ card_reference_id: name, p_user_id: name })
  return card
}

function authorize(quittance: Quittance, card: string, name: string, amount: string) {
  const merchant = { name: 'Sandbox shop', mcc: '5411', country: 'HK' } as const
  return quittance.cardAuthorizations.create(card, { amount, currency: 'HKD', merchant, reference_id: name })
}
