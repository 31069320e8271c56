/** Stores a new card at a twin, as a merchant's page would, and returns its id there. */

export async function newStripeCard(url: string, secretKey: string, number: string): Promise<string> {
  const response = await fetch(`${url}/v1/payment_methods`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams({
      type: 'card',
      'card[number]': number,
      'card[exp_month]': '12',
      'card[exp_year]': '2049',
      'card[cvc]': '123',
    }),
  })
  const { id } = (await response.json()) as { id?: string }
  if (id === undefined) throw new Error(`the twin made no payment method: ${response.status}`)
  return id
}

/** The only expiry that Adyen's test cards have. */
export const ADYEN_EXPIRY = { month: '03', year: '2030' }

interface AdyenCard {
  readonly apiKey: string
  readonly merchantAccount: string
  readonly customerUuid: string
  /** The twin decides by the name how the card behaves (`adyen/README.md`). */
  readonly holderName: string
}

export async function newAdyenCard(url: string, card: AdyenCard): Promise<string> {
  const response = await fetch(`${url}/v72/payments`, {
    method: 'POST',
    headers: { 'x-api-key': card.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      merchantAccount: card.merchantAccount,
      amount: { currency: 'HKD', value: 0 },
      reference: `stored-${card.customerUuid}`,
      shopperReference: card.customerUuid,
      storePaymentMethod: true,
      shopperInteraction: 'Ecommerce',
      recurringProcessingModel: 'UnscheduledCardOnFile',
      returnUrl: 'https://shop.example.com/back',
      paymentMethod: {
        type: 'scheme',
        number: '4111111111111111',
        expiryMonth: ADYEN_EXPIRY.month,
        expiryYear: ADYEN_EXPIRY.year,
        cvc: '737',
        holderName: card.holderName,
      },
    }),
  })
  const { additionalData } = (await response.json()) as { additionalData?: Record<string, string> }
  const id = additionalData?.['recurring.recurringDetailReference']
  if (id === undefined) throw new Error(`the twin stored no card: ${response.status}`)
  return id
}

interface AirwallexCard {
  readonly clientId: string
  readonly apiKey: string
  readonly customerUuid: string
  readonly number: string
}

/** Makes a verified consent for payments by the merchant, as Airwallex's component does, and returns its id. */
export async function newAirwallexCard(url: string, card: AirwallexCard): Promise<string> {
  const send = async (path: string, body: object, headers: Record<string, string>): Promise<Answered> => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ request_id: crypto.randomUUID(), ...body }),
    })
    return (await response.json()) as Answered
  }
  const keys = { 'x-client-id': card.clientId, 'x-api-key': card.apiKey }
  const { token = '' } = await send('authentication/login', {}, keys)
  const authorization = { authorization: `Bearer ${token}` }
  const customer = { merchant_customer_id: card.customerUuid }
  const created = await send('pa/customers/create', customer, authorization)
  const customerId = created.id ?? (await foundCustomer(url, card.customerUuid, authorization))
  const members = {
    customer_id: customerId,
    next_triggered_by: 'merchant',
    merchant_trigger_reason: 'unscheduled',
  }
  const { id } = await send('pa/payment_consents/create', members, authorization)
  const method = { number: card.number, expiry_month: '12', expiry_year: '2049', cvc: '123' }
  const body = { payment_method: { type: 'card', card: method }, return_url: 'https://shop.example.com/back' }
  const verified = await send(`pa/payment_consents/${id ?? ''}/verify`, body, authorization)
  const asked = verified.next_action?.url
  if (asked !== undefined) await send('simulation/pa/shopper_actions/verify', { url: asked }, authorization)
  if (id === undefined || (asked === undefined && verified.status !== 'VERIFIED'))
    throw new Error('the twin verified no consent')
  return id
}

interface Answered {
  readonly id?: string
  readonly token?: string
  readonly status?: string
  readonly next_action?: { readonly url?: string }
}

async function foundCustomer(url: string, uuid: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/api/v1/pa/customers?merchant_customer_id=${uuid}`, { headers })
  const { items = [] } = (await response.json()) as { items?: Answered[] }
  return items[0]?.id ?? ''
}
