import { CARD_EVENTS } from '#modules/cards'
import { CUSTOMER_EVENTS } from '#modules/customers'
import { DISPUTE_EVENTS } from '#modules/disputes'
import { BANK_ENTRY_EVENTS } from '#modules/bank-transfers'
import { BILLING_EVENTS } from '#modules/billing'
import { CATALOGUE_EVENTS } from '#modules/catalogue'
import { INVOICE_EVENTS } from '#modules/invoices'
import { MESSAGE_EVENTS } from '#modules/messages'
import { PAYMENT_EVENTS } from '#modules/payments'
import { TAX_EVENTS } from '#modules/taxes'
import { WALLET_EVENTS } from '#modules/wallets'

export const EVENTS = {
  ...PAYMENT_EVENTS,
  ...DISPUTE_EVENTS,
  ...INVOICE_EVENTS,
  ...BANK_ENTRY_EVENTS,
  ...BILLING_EVENTS,
  ...CATALOGUE_EVENTS,
  ...CUSTOMER_EVENTS,
  ...TAX_EVENTS,
  ...MESSAGE_EVENTS,
  ...CARD_EVENTS,
  ...WALLET_EVENTS,
} as const
export type EventType = keyof typeof EVENTS
