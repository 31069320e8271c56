import type Stripe from 'stripe'
import { type Form, mergeMetadata, nested, refuseUnknown, text } from '../form.ts'
import { newStripeId, randomText, type Tx } from '../store.ts'
import { recordEvent } from './events.ts'

const PARAMS = [
  'address', 'balance', 'business_name', 'cash_balance', 'description', 'email', 'individual_name', 'invoice_prefix',
  'invoice_settings', 'metadata', 'name', 'next_invoice_sequence', 'payment_method', 'phone', 'preferred_locales', 'shipping',
  'source', 'tax', 'tax_exempt', 'tax_id_data', 'test_clock',
] // prettier-ignore

const ADDRESS_MEMBERS = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const

export function readAddress(form: Form | undefined): Stripe.Address | null {
  if (form === undefined) return null
  const members = ADDRESS_MEMBERS.map((name) => [name, text(form, name) ?? null])
  return Object.fromEntries(members)
}

export function createCustomer(tx: Tx, form: Form): Stripe.Customer {
  refuseUnknown(form, PARAMS)
  const customer: Stripe.Customer = {
    id: newStripeId('customer'),
    object: 'customer',
    address: readAddress(nested(form, 'address')),
    balance: 0,
    created: tx.now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: text(form, 'description') ?? null,
    discount: null,
    email: text(form, 'email') ?? null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: tx.livemode,
    metadata: mergeMetadata({}, form),
    name: text(form, 'name') ?? null,
    next_invoice_sequence: 1,
    phone: text(form, 'phone') ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
  tx.insert('customer', customer)
  recordEvent(tx, 'customer.created', customer)
  return customer
}

export function updateCustomer(tx: Tx, id: string, form: Form): Stripe.Customer {
  refuseUnknown(form, PARAMS)
  const { object: customer } = tx.edit('customer', id)
  for (const name of ['description', 'email', 'name', 'phone'] as const) {
    if (form[name] !== undefined) customer[name] = text(form, name) ?? null
  }
  const address = nested(form, 'address')
  if (address) customer.address = readAddress(address)
  const method = text(nested(form, 'invoice_settings') ?? {}, 'default_payment_method')
  if (method !== undefined) customer.invoice_settings.default_payment_method = method
  customer.metadata = mergeMetadata(customer.metadata, form)
  recordEvent(tx, 'customer.updated', customer)
  return customer
}

/** A deleted customer leaves a stub, and its payment methods are detached. */
export function deleteCustomer(tx: Tx, id: string): object {
  const row = tx.edit('customer', id)
  for (const methodId of tx.store.indexed('payment_method', 'customer', id)) {
    const method = tx.edit('payment_method', methodId)
    method.object.customer = null
    method.hidden.isConsumed = true
  }
  const stub = { id, object: 'customer', deleted: true }
  recordEvent(tx, 'customer.deleted', row.object)
  row.object = stub as unknown as Stripe.Customer
  return stub
}
