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
