import type { Branding, BusinessProfile } from '#modules/businesses'
import { Money } from '#kernel/money'
import { realClock } from '#kernel/clock'
import { localDateOf } from '#kernel/time-zone'
import { type MessageKind, OPTIONAL_KINDS } from '../model/kinds.ts'
import type { MessageTemplate } from '../model/template.ts'
import type { MessageContent } from '../rendering/content.ts'
import { phrasesOf } from '../rendering/phrases.ts'

interface ExampleGround {
  readonly branding: Branding
  readonly profile: BusinessProfile
  readonly publicUrl: string
  readonly override: MessageTemplate
}

type Action = NonNullable<MessageContent['action']>['kind']

const ACTIONS: Readonly<Partial<Record<MessageKind, Action>>> = {
  receipt: 'view_order',
  invoice: 'pay',
  payment_failed: 'pay',
  payment_reminder: 'pay',
  portal_link: 'open_portal',
  card_expiring: 'update_card',
}

const ORDER = 'ord_01j9z3k6v8q4t2n7b5m1c0x4hr'
const DOCUMENT = 'INV-2027-000042'
const CREDIT_NOTE = 'CN-2027-000007'
const PLAN = 'Gold'
const CUSTOMER = 'Amy Lee'

/** A message of a kind as it may look, with the business's brand and data of nobody. */
export function exampleContent(
  { kind, language }: { readonly kind: MessageKind; readonly language: string },
  { branding, profile, publicUrl, override }: ExampleGround,
): MessageContent {
  const phrases = phrasesOf(language)
  const amount = phrases.money(Money.ofMinor(profile.currency, 4_990n))
  const date = phrases.date(localDateOf(realClock.now(), profile.timeZone))
  const link = `${publicUrl}/pay/example`
  const businessName = branding.displayName ?? profile.name
  const action = ACTIONS[kind]
  return {
    kind,
    language,
    brand: {
      businessName,
      logoUrl: null,
      color: branding.color,
      email: branding.email,
      phone: branding.phone,
      website: branding.website,
    },
    values: {
      business_name: businessName,
      customer_name: CUSTOMER,
      amount,
      order_number: ORDER,
      document_number: kind === 'credit_note' ? CREDIT_NOTE : DOCUMENT,
      plan_name: PLAN,
      date,
      link,
    },
    details: { lines: linesOf(kind, amount), rows: rowsOf(kind, amount, date) },
    ...(action !== undefined && { action: { kind: action, url: link } }),
    ...(kind === 'invoice' && { attached: [DOCUMENT] }),
    ...(kind === 'credit_note' && { attached: [CREDIT_NOTE] }),
    override,
    ...(OPTIONAL_KINDS.has(kind) && { unsubscribeUrl: `${publicUrl}/unsubscribe/example` }),
  }
}

function linesOf(kind: MessageKind, amount: string): MessageContent['details']['lines'] {
  return kind === 'receipt' || kind === 'invoice' ? [{ label: PLAN, quantity: null, amount }] : []
}

function rowsOf(kind: MessageKind, amount: string, date: string): MessageContent['details']['rows'] {
  switch (kind) {
    case 'receipt':
      return [
        { label: 'total', value: amount },
        { label: 'order_number', value: ORDER },
        { label: 'paid_on', value: date },
      ]
    case 'invoice':
      return [
        { label: 'amount_due', value: amount },
        { label: 'document_number', value: DOCUMENT },
        { label: 'due_on', value: date },
      ]
    case 'credit_note':
      return [
        { label: 'amount_credited', value: amount },
        { label: 'document_number', value: CREDIT_NOTE },
        { label: 'credited_invoice', value: DOCUMENT },
      ]
    case 'payment_failed':
    case 'payment_reminder':
      return [
        { label: 'amount_due', value: amount },
        { label: 'order_number', value: ORDER },
        { label: kind === 'payment_failed' ? 'next_attempt_on' : 'due_on', value: date },
      ]
    case 'plan_canceled':
      return ofPlan('ends_on', date)
    case 'trial_ending':
      return ofPlan('trial_ends_on', date)
    case 'renewal_ahead':
      return ofPlan('renews_on', date)
    case 'card_expiring':
      return [{ label: 'card', value: 'Visa •••• 4242' }]
    case 'portal_link':
    case 'usage_alert':
    case 'balance_low':
      return []
  }
}

function ofPlan(label: 'ends_on' | 'trial_ends_on' | 'renews_on', date: string) {
  return [
    { label: 'plan_name', value: PLAN },
    { label, value: date },
  ] as const
}
