import { type Desk, newPspReference } from './desk.ts'
import { invalid, invalidMerchantAccount, missingField, notFound } from './errors.ts'
import { type Json, merchantAccountOf, object, onlyMembersOf, text } from './json.ts'
import type { Model, PaymentState, StoredPaymentMethod } from './model.ts'
import { notifyStored } from './notices.ts'
import { type Card, presentedCardOf } from './test-cards.ts'

interface Shopper {
  readonly merchantAccount: string
  readonly shopperReference: string
}

const MODELS = ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile']

export function storedMethodOf(model: Model, id: string, shopper: Shopper): StoredPaymentMethod {
  const method = model.stored.get(id)
  if (method === undefined || !belongsTo(method, shopper)) throw invalid('803', 'PaymentDetail not found')
  return method
}

/** Stores the card of an authorized payment, or finds it where the shopper stored the same one before. */
export function keepCard(
  desk: Desk,
  payment: PaymentState,
): { method: StoredPaymentMethod; isNew: boolean } | null {
  const { merchantAccount, shopperReference, card } = payment
  if (shopperReference === null || payment.storedPaymentMethodId !== null) return null
  return keep(desk, { merchantAccount, shopperReference }, { card, eventId: payment.psp })
}

function keep(desk: Desk, shopper: Shopper, { card, eventId }: { card: Card; eventId: string }) {
  const earlier = methodsOf(desk.model, shopper).find((method) => isSameCard(method.card, card))
  const method = earlier ?? {
    id: newPspReference(),
    firstPspReference: eventId,
    ...shopper,
    card,
    createdAtMs: desk.nowMs,
  }
  if (earlier === undefined) desk.push({ type: 'stored', method })
  notifyStored(desk, method, eventId, earlier === undefined)
  return { method, isNew: earlier === undefined }
}

function isSameCard(one: Card, other: Card): boolean {
  return (
    one.fingerprint === other.fingerprint &&
    one.expiryMonth === other.expiryMonth &&
    one.expiryYear === other.expiryYear &&
    one.holderName === other.holderName
  )
}

/** POST /storedPaymentMethods. */
export function storePaymentMethod(desk: Desk, body: Json): Json {
  onlyMembersOf('StoredPaymentMethodRequest', body)
  const merchantAccount = merchantAccountOf(body)
  const shopperReference = text(body, 'shopperReference')
  const paymentMethod = object(body, 'paymentMethod')
  if (shopperReference === null) throw missingField('shopperReference')
  if (paymentMethod === null) throw invalid('14_006', "Required object 'paymentMethod' is not provided.")
  if (!MODELS.includes(text(body, 'recurringProcessingModel') ?? ''))
    throw missingField('recurringProcessingModel')
  onlyMembersOf('PaymentMethodToStore', paymentMethod)
  const { card } = presentedCardOf(paymentMethod)
  const { method } = keep(desk, { merchantAccount, shopperReference }, { card, eventId: newPspReference() })
  return resourceOf(method)
}

/** GET /storedPaymentMethods. */
export function listStoredPaymentMethods(model: Model, query: URLSearchParams): Json {
  const shopper = shopperOf(query)
  return { ...shopper, storedPaymentMethods: methodsOf(model, shopper).map(resourceOf) }
}

/** DELETE /storedPaymentMethods/{storedPaymentMethodId}. */
export function removeStoredPaymentMethod(desk: Desk, id: string, query: URLSearchParams): void {
  const method = desk.model.stored.get(id)
  if (method === undefined || !belongsTo(method, shopperOf(query))) throw notFound()
  desk.push({ type: 'stored_removed', id })
}

/** POST /paymentMethods. */
export function paymentMethods(model: Model, body: Json): Json {
  onlyMembersOf('PaymentMethodsRequest', body)
  const merchantAccount = merchantAccountOf(body)
  const shopperReference = text(body, 'shopperReference')
  const brands = ['visa', 'mc', 'amex', 'discover', 'jcb', 'diners']
  return {
    paymentMethods: [{ name: 'Cards', type: 'scheme', brands }],
    ...(shopperReference !== null && {
      storedPaymentMethods: methodsOf(model, { merchantAccount, shopperReference }).map(
        ({ id, card }): Json => ({
          ...cardMembers(card),
          id,
          name: card.brand.toUpperCase(),
          supportedRecurringProcessingModels: MODELS,
          supportedShopperInteractions: ['Ecommerce', 'ContAuth'],
        }),
      ),
    }),
  }
}

function methodsOf(model: Model, shopper: Shopper): StoredPaymentMethod[] {
  return [...model.stored.values()].filter((method) => belongsTo(method, shopper))
}

function belongsTo(method: StoredPaymentMethod, { merchantAccount, shopperReference }: Shopper): boolean {
  return method.merchantAccount === merchantAccount && method.shopperReference === shopperReference
}

function shopperOf(query: URLSearchParams): Shopper {
  const merchantAccount = query.get('merchantAccount')
  const shopperReference = query.get('shopperReference')
  if (merchantAccount === null) throw invalidMerchantAccount()
  if (shopperReference === null) throw missingField('shopperReference')
  return { merchantAccount, shopperReference }
}

function resourceOf(method: StoredPaymentMethod): Json {
  const { id, firstPspReference, card, shopperReference, createdAtMs } = method
  return {
    ...cardMembers(card),
    id,
    cardBin: card.bin,
    createdAt: new Date(createdAtMs).toISOString(),
    firstPspReference,
    name: card.brand.toUpperCase(),
    shopperReference,
    supportedRecurringProcessingModels: MODELS,
  }
}

function cardMembers(card: Card): Json {
  return {
    type: 'scheme',
    brand: card.brand,
    lastFour: card.lastFour,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    holderName: card.holderName,
  }
}
