import type { Call } from './call.ts'
import { ApiError, invalid, wrongStatus } from './errors.ts'
import { cardAction, readMethod, requireCurrency, shownMethod, walletAction } from './methods.ts'
import { type Consent, type Customer, newId, randomText, type Row, type Tx } from './store.ts'

const CONSENT_SECONDS = 3_600

export function createCustomer({ tx, body, requestId }: Call): Customer {
  const merchantId = body.required('merchant_customer_id', 64)
  if (tx.store.byCustomerId.has(merchantId)) {
    throw new ApiError(400, 'resource_already_exists', 'The merchant_customer_id already exists', {
      source: 'merchant_customer_id',
    })
  }
  const email = body.text('email', 256)
  const firstName = body.text('first_name', 128)
  const customer: Customer = {
    id: newId('customer'),
    request_id: requestId,
    merchant_customer_id: merchantId,
    ...(email !== undefined && { email }),
    ...(firstName !== undefined && { first_name: firstName }),
    created_at: tx.now,
    updated_at: tx.now,
  }
  return tx.insert('customer', customer).object
}

export function readCustomer({ tx, id }: Call): Customer {
  return tx.get('customer', id).object
}

export function customerSecret({ tx, id }: Call) {
  tx.get('customer', id)
  return { client_secret: `eyJ.${randomText(24)}`, expired_time: tx.now }
}

export function listCustomers({ tx, query }: Call) {
  const merchantId = query.get('merchant_customer_id')
  const rows = tx.store.rows('customer')
  const ids =
    merchantId === null ? [...rows.keys()] : [tx.store.byCustomerId.get(merchantId)].flatMap((id) => id ?? [])
  return { has_more: false, items: ids.flatMap((id) => rows.get(id)?.object ?? []) }
}

export function createConsent({ tx, body, requestId }: Call): Consent {
  const customer = body.required('customer_id')
  tx.get('customer', customer, 400)
  const nextTriggeredBy = body.choice('next_triggered_by', ['merchant', 'customer'])
  if (nextTriggeredBy === undefined) throw invalid('next_triggered_by', 'must not be empty')
  const reason = body.choice('merchant_trigger_reason', ['scheduled', 'unscheduled', 'installments'])
  const metadata = body.metadata()
  const consent: Consent = {
    id: newId('consent'),
    request_id: requestId,
    customer_id: customer,
    next_triggered_by: nextTriggeredBy,
    ...(reason !== undefined && { merchant_trigger_reason: reason }),
    ...(metadata !== undefined && { metadata }),
    status: 'REQUIRES_PAYMENT_METHOD',
    created_at: tx.now,
    updated_at: tx.now,
  }
  tx.notify('payment_consent.created', consent)
  return tx.insert('consent', consent).object
}

export function verifyConsent(call: Call): Consent {
  const { tx, id, body, settings, origin } = call
  const row = tx.edit('consent', id)
  const { object: consent } = row
  if (consent.status !== 'REQUIRES_PAYMENT_METHOD') throw wrongStatus(`The consent is ${consent.status}`)
  const method = readMethod(body, settings, 'recurring')
  const returnUrl = body.text('return_url', 2_000)
  touch(call, row)
  delete consent.failure_reason
  consent.payment_method = shownMethod(method)
  row.hidden = returnUrl === undefined ? {} : { returnUrl }
  if (method.kind === 'wallet') {
    const options = body.object('verification_options')?.object(method.wallet)
    const currency = options?.text('currency')
    if (method.wallet === 'wechatpay' && currency === undefined) {
      throw invalid('verification_options.wechatpay.currency', 'must not be empty')
    }
    if (currency !== undefined) requireCurrency(method.wallet, currency)
    const action = walletAction({ wallet: method.wallet, isPhone: true, id, origin })
    consent.next_action = {
      ...action,
      ...(method.wallet === 'wechatpay' && !method.isPhone && { qrcode: `weixin://agree/${id}` }),
    }
    row.hidden = {
      ...row.hidden,
      wallet: method.wallet,
      dueAt: tx.nowSeconds + (settings.payer_seconds || CONSENT_SECONDS),
    }
    return wait(tx, row)
  }
  const { card } = method
  row.hidden = { ...row.hidden, card }
  if (card.binding !== null) {
    consent.failure_reason = { code: card.error, message: 'The card was declined.' }
    tx.notify('payment_consent.verification_failed', consent)
    throw new ApiError(400, card.error, 'The card issuer declined this verification.', {
      commits: true,
      details: { original_response_code: card.binding },
    })
  }
  if (card.asks === 'never') return verified(tx, row)
  if (returnUrl === undefined) throw invalid('return_url', 'must not be empty')
  consent.next_action = cardAction(settings, { id, origin })
  return wait(tx, row)
}

export function consentAnswered(tx: Tx, id: string, isAgreed: boolean): Consent {
  const row = tx.edit('consent', id)
  const { object: consent } = row
  if (consent.status !== 'REQUIRES_CUSTOMER_ACTION') throw wrongStatus(`The consent is ${consent.status}`)
  consent.updated_at = tx.now
  if (isAgreed) return verified(tx, row)
  return refused(tx, row, row.hidden.wallet === undefined ? 'authentication_declined' : 'payer_refused')
}

export function expireConsent(tx: Tx, id: string): void {
  const row = tx.edit('consent', id)
  if (row.object.status === 'REQUIRES_CUSTOMER_ACTION') refused(tx, row, 'verification_expired')
  else row.hidden = withoutDue(row)
}

function refused(tx: Tx, row: Row<Consent>, code: string): Consent {
  const { object: consent } = row
  consent.status = 'REQUIRES_PAYMENT_METHOD'
  consent.updated_at = tx.now
  consent.failure_reason = { code, message: 'The payer did not agree.' }
  delete consent.next_action
  row.hidden = withoutDue(row)
  tx.notify('payment_consent.requires_payment_method', consent)
  return consent
}

function wait(tx: Tx, { object: consent }: Row<Consent>): Consent {
  consent.status = 'REQUIRES_CUSTOMER_ACTION'
  tx.notify('payment_consent.requires_customer_action', consent)
  return consent
}

function verified(tx: Tx, row: Row<Consent>): Consent {
  const { object: consent } = row
  const { wallet } = row.hidden
  consent.status = 'VERIFIED'
  delete consent.next_action
  row.hidden = withoutDue(row)
  const account = wallet === undefined || wallet === 'wechatpay' ? {} : { user_id: '208810******1234' }
  consent.payment_method =
    wallet === undefined
      ? { id: `mtd_hkdm${randomText(12)}`, ...consent.payment_method }
      : { type: wallet, [wallet]: account }
  tx.notify('payment_consent.verified', consent)
  return consent
}

export function disableConsent(call: Call): Consent {
  const row = call.tx.edit('consent', call.id)
  if (row.object.status === 'DISABLED') throw wrongStatus('The consent is DISABLED')
  touch(call, row)
  return endConsent(call.tx, row, 'Disabled by the merchant')
}

/** Control: the payer ends the agreement in the app, or pauses it. */
export function payerEnds(tx: Tx, id: string, status: 'DISABLED' | 'PAUSED' | 'VERIFIED'): Consent {
  const row = tx.edit('consent', id)
  if (status === 'DISABLED') return endConsent(tx, row, 'Ended by the payer')
  row.object.status = status
  tx.notify(status === 'PAUSED' ? 'payment_consent.paused' : 'payment_consent.updated', row.object)
  return row.object
}

function endConsent(tx: Tx, row: Row<Consent>, reason: string): Consent {
  row.object.status = 'DISABLED'
  row.object.disable_reason = reason
  row.object.updated_at = tx.now
  delete row.object.next_action
  row.hidden = withoutDue(row)
  tx.notify('payment_consent.disabled', row.object)
  return row.object
}

export function readConsent({ tx, id }: Call): Consent {
  return tx.get('consent', id).object
}

export function listConsents({ tx, query }: Call) {
  const customer = query.get('customer_id')
  const items = [...tx.store.rows('consent').values()]
    .map(({ object }) => object)
    .filter(({ customer_id }) => customer === null || customer_id === customer)
  return { has_more: false, items }
}

function withoutDue({ hidden }: Row<Consent>) {
  const { dueAt: _over, ...rest } = hidden
  return rest
}

function touch({ tx, requestId }: Call, { object }: Row<Consent>): void {
  object.request_id = requestId
  object.updated_at = tx.now
}
