import { decimalToString } from '#kernel/decimal'
import { type Money, sumMoney } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import type { PaymentToken } from '#modules/customers'
import type { IssuedInvoice } from '#modules/invoices'
import {
  declineCodeOf,
  dueTotal,
  lineTotal,
  type Order,
  type OrderWithTransactions,
  payerReference,
  type Transaction,
} from '#modules/payments'
import { sendsInvoices } from '#modules/plans'
import { instantOf } from '#kernel/clock'
import { type Message, orderIdOf } from '../model/message.ts'
import type { Placeholder } from '../model/placeholders.ts'
import type { ActionKind, MessageBrand, MessageContent } from '../rendering/content.ts'
import { type Phrases, phrasesOf } from '../rendering/phrases.ts'
import { nameInMessages } from './customer-name.ts'
import type { ContentGround } from './read-ground.ts'

type Details = MessageContent['details']
type Row = Details['rows'][number]
type Line = Details['lines'][number]
type Values = Partial<Record<Placeholder, string>>

/** What a kind adds to what every message says. */
interface Own {
  readonly values: Values
  readonly rows: readonly Row[]
  readonly lines?: readonly Line[]
  readonly action?: MessageContent['action']
  readonly otherAction?: MessageContent['otherAction']
  readonly variant?: MessageContent['variant']
}

/** - `orderLink`: The page of an order, which shows it also when it is paid. */
interface ContentLinks {
  readonly publicUrl: string
  readonly orderLink: (orderId: string) => string
  readonly unsubscribeUrl: string | null
}

export function buildContent(message: Message, ground: ContentGround, links: ContentLinks): MessageContent {
  const { kind, language } = message
  const phrases = phrasesOf(language)
  const { profile } = ground
  const own = ownOf(message, ground, links, phrases)
  const brand = brandOf(ground, links.publicUrl)
  const template = ground.templates.find((one) => one.kind === kind && one.language === language)
  const attached = message.documentIds.flatMap((id) => ground.documents.get(id)?.number ?? [])
  return {
    kind,
    language,
    brand,
    values: {
      business_name: brand.businessName,
      customer_name: nameInMessages(ground.customers.get(message.customerUuid)?.name ?? ''),
      ...own.values,
      ...(own.action !== undefined && { link: own.action.url }),
    },
    details: { lines: own.lines ?? [], rows: own.rows },
    ...(own.variant !== undefined && { variant: own.variant }),
    ...(own.action !== undefined && { action: own.action }),
    ...(own.otherAction !== undefined && { otherAction: own.otherAction }),
    ...(attached.length > 0 && { attached }),
    ...(profile.environment === 'test' && { testMode: true }),
    ...(template !== undefined && { override: template }),
    ...(links.unsubscribeUrl !== null && { unsubscribeUrl: links.unsubscribeUrl }),
  }
}

const EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

export function brandOf(
  { profile, branding }: Pick<ContentGround, 'profile' | 'branding'>,
  publicUrl: string,
): MessageBrand {
  const { logo, color, email, phone, website } = branding
  const logoUrl =
    logo === null
      ? null
      : `${publicUrl}/checkout/logos/${profile.businessId}/${logo.hash}.${EXTENSIONS[logo.type]}`
  return { businessName: branding.displayName ?? profile.name, logoUrl, color, email, phone, website }
}

function ownOf(message: Message, ground: ContentGround, links: ContentLinks, phrases: Phrases): Own {
  const facts = message.facts ?? {}
  const order = ground.orders.get(orderIdOf(message) ?? '')
  const document = ground.documents.get(facts.documentId ?? '')
  switch (message.kind) {
    case 'receipt':
      return order === undefined ? NOTHING : ofReceipt(order, document, ground, links, phrases)
    case 'invoice':
      return document === undefined ? NOTHING : ofInvoice(document, ground, phrases)
    case 'credit_note':
      return document === undefined ? NOTHING : ofCreditNote(document, phrases)
    case 'payment_failed':
    case 'payment_reminder':
      return order === undefined ? NOTHING : ofUnpaid(message, order, ground, phrases)
    case 'plan_canceled':
      return ofPlan(message, ground, phrases, 'ends_on')
    case 'trial_ending':
      return ofPlanAhead(message, ground, phrases, 'trial_ends_on')
    case 'renewal_ahead':
      return ofPlanAhead(message, ground, phrases, 'renews_on')
    case 'card_expiring':
      return ofCard(message, ground, phrases)
    case 'portal_link':
      return { ...NOTHING, ...linkedTo('open_portal', ground.portalLinks.get(message.id)) }
    case 'usage_alert':
    case 'balance_low':
      return NOTHING
  }
}

const NOTHING: Own = { values: {}, rows: [] }

function linkedTo(kind: ActionKind, url: string | undefined): Pick<Own, 'action'> {
  return url === undefined ? {} : { action: { kind, url } }
}

function ofReceipt(
  { order, transactions }: OrderWithTransactions,
  document: IssuedInvoice | undefined,
  { profile }: ContentGround,
  { orderLink }: ContentLinks,
  phrases: Phrases,
): Own {
  const payment = transactions.findLast(({ type, state }) => type !== 'Refund' && state === 'succeeded')
  const paidAt = payment?.succeededAt ?? order.updatedAt
  const paid = paidTotal(order, transactions)
  const amount = phrases.money(paid)
  const date = phrases.date(localDateOf(paidAt, profile.timeZone))
  const reference = payerReference(order)
  return {
    values: {
      amount,
      date,
      order_number: order.id,
      ...(document !== undefined && { document_number: document.number }),
    },
    lines: linesOf(order, phrases),
    rows: [
      { label: 'total', value: phrases.money(order.initialTotal) },
      ...(paid.equals(order.initialTotal) ? [] : [{ label: 'amount_paid' as const, value: amount }]),
      ...(reference === document?.number ? [] : [{ label: 'order_number' as const, value: reference }]),
      ...(document === undefined ? [] : [{ label: 'document_number' as const, value: document.number }]),
      ...(payment === undefined
        ? []
        : [{ label: 'payment_method' as const, value: methodOf(payment, phrases) }]),
      { label: 'paid_on', value: date },
    ],
    action: { kind: 'view_order', url: orderLink(order.id) },
    ...(document !== undefined && { variant: 'with_invoice' }),
  }
}

/** A receipt shows what was received, whatever was refunded since. */
function paidTotal({ currency }: Order, transactions: readonly Transaction[]): Money {
  return sumMoney(
    currency,
    transactions.flatMap(({ type, state, amount }) =>
      state === 'succeeded' && (type === 'Sales' || type === 'Capture') ? amount : [],
    ),
  )
}

function methodOf({ paymentMethod, instrument: { brand, last4 } }: Transaction, phrases: Phrases): string {
  return phrases.method(paymentMethod, brand === null || last4 === null ? undefined : { brand, last4 })
}

function linesOf({ lineItems }: Order, phrases: Phrases): Line[] {
  return (lineItems ?? []).map((line) => ({
    label: phrases.lineLabel(line.label, line.purchasableType),
    quantity: line.quantity === 1 ? null : String(line.quantity),
    amount: phrases.money(lineTotal(line)),
  }))
}

function ofInvoice(document: IssuedInvoice, { paymentLinks }: ContentGround, phrases: Phrases): Own {
  const due = phrases.money(document.amountDue)
  const dueOn = phrases.date(document.dueDate)
  const link = paymentLinks.get(document.orderNumber)
  const isDue = document.amountDue.isPositive()
  return {
    values: {
      amount: isDue ? due : phrases.money(document.total),
      // Without its date, the sentence that asks for the payment is left out.
      ...(isDue && { date: dueOn }),
      order_number: document.orderNumber,
      document_number: document.number,
    },
    lines: document.lines.map((line) => ({
      label: phrases.lineLabel(line.label, 'Charge'),
      quantity: decimalToString(line.quantity) === '1' ? null : decimalToString(line.quantity),
      amount: phrases.money(line.amount),
    })),
    rows: [
      { label: 'total', value: phrases.money(document.total) },
      ...(isDue ? [{ label: 'amount_due' as const, value: due }] : []),
      { label: 'document_number', value: document.number },
      { label: 'issued_on', value: phrases.date(document.issueDate) },
      ...(isDue
        ? [
            { label: 'due_on' as const, value: dueOn },
            { label: 'payment_reference' as const, value: document.paymentReference },
          ]
        : []),
    ],
    ...(link !== undefined && isDue && { action: { kind: 'pay', url: link } }),
  }
}

function ofCreditNote(document: IssuedInvoice, phrases: Phrases): Own {
  const amount = phrases.money(document.total)
  const date = phrases.date(document.issueDate)
  return {
    values: { amount, date, order_number: document.orderNumber, document_number: document.number },
    rows: [
      { label: 'amount_credited', value: amount },
      { label: 'document_number', value: document.number },
      ...document.corrected.map(({ number }) => ({ label: 'credited_invoice' as const, value: number })),
      { label: 'issued_on', value: date },
      ...(document.note?.cause === 'request'
        ? [{ label: 'reason' as const, value: document.note.reason }]
        : []),
    ],
  }
}

function ofUnpaid(
  { id, kind, facts }: Message,
  { order, transactions }: OrderWithTransactions,
  { profile, paymentLinks, plans, portalLinks }: ContentGround,
  phrases: Phrases,
): Own {
  const plan = plans.get(facts?.planId ?? '')?.plan
  const zone = plan?.zone ?? profile.timeZone
  const amount = phrases.money(dueTotal(order))
  const link = paymentLinks.get(order.id)
  const common: readonly Row[] = [
    { label: 'amount_due', value: amount },
    { label: 'order_number', value: payerReference(order) },
    ...(plan === undefined ? [] : [{ label: 'plan_name' as const, value: plan.name }]),
  ]
  const values = {
    amount,
    order_number: order.id,
    ...(plan !== undefined && { plan_name: plan.name }),
  }
  const action = linkedTo('pay', link)
  if (kind === 'payment_reminder') {
    const date = phrases.date(facts?.date ?? localDateOf(order.createdAt, zone))
    return { values: { ...values, date }, rows: [...common, { label: 'due_on', value: date }], ...action }
  }
  const attempt = lastTry(transactions, facts?.transactionId)
  const reason = phrases.decline(attempt === undefined ? null : declineCodeOf(attempt.answer))
  const { action: cardAction } = linkedTo('update_card', portalLinks.get(id))
  const actions = { ...action, ...(cardAction !== undefined && { otherAction: cardAction }) }
  const next = facts?.nextAttemptAt
  if (next == null) {
    return { values, rows: [...common, { label: 'reason', value: reason }], variant: 'last', ...actions }
  }
  const date = phrases.date(localDateOf(instantOf(next), zone))
  return {
    values: { ...values, date },
    rows: [...common, { label: 'reason', value: reason }, { label: 'next_attempt_on', value: date }],
    ...actions,
  }
}

/** The attempt, or its newest repetition at another account. */
function lastTry(transactions: readonly Transaction[], id: string | undefined): Transaction | undefined {
  const next = transactions.find(({ fallbackOf }) => fallbackOf !== null && fallbackOf === id)
  return next === undefined ? transactions.find((one) => one.id === id) : lastTry(transactions, next.id)
}

function ofPlan(
  { facts }: Message,
  { plans }: ContentGround,
  phrases: Phrases,
  label: 'ends_on' | 'trial_ends_on' | 'renews_on',
): Own {
  const plan = plans.get(facts?.planId ?? '')?.plan
  if (plan === undefined || facts?.date === undefined) return NOTHING
  const date = phrases.date(facts.date)
  return {
    values: { plan_name: plan.name, date },
    rows: [
      { label: 'plan_name', value: plan.name },
      { label, value: date },
    ],
    ...(facts.variant === 'scheduled' && { variant: 'scheduled' }),
  }
}

/** With what the plan bills on that day, and the card that it charges. */
function ofPlanAhead(
  message: Message,
  ground: ContentGround,
  phrases: Phrases,
  label: 'trial_ends_on' | 'renews_on',
): Own {
  const own = ofPlan(message, ground, phrases, label)
  const { facts, customerUuid } = message
  const plan = ground.plans.get(facts?.planId ?? '')?.plan
  const next = ground.nextBills.get(facts?.planId ?? '')
  if (plan === undefined || next === undefined || !next.total.isPositive()) return own
  if (localDateOf(next.at, plan.zone).toString() !== facts?.date) return own
  const amount = phrases.money(next.total)
  const card = cardOf(ground.defaultTokens.get(customerUuid))
  const isCharged = !sendsInvoices(plan)
  return {
    values: { ...own.values, amount },
    rows: [
      ...own.rows,
      { label: 'total', value: amount },
      ...(isCharged && card !== undefined
        ? [{ label: 'card' as const, value: phrases.method('card', card) }]
        : []),
    ],
  }
}

function cardOf(token: PaymentToken | undefined): { brand: string; last4: string } | undefined {
  const { brand = null, last4 = null } = token ?? {}
  return brand === null || last4 === null ? undefined : { brand, last4 }
}

function ofCard({ id, facts }: Message, ground: ContentGround, phrases: Phrases): Own {
  const token = ground.tokens.get(facts?.token ?? '')
  if (token === undefined) return NOTHING
  const { expMonth, expYear } = token
  const expires = `${String(expMonth ?? '').padStart(2, '0')}/${String(expYear ?? '')}`
  return {
    values: { date: expires },
    rows: [
      { label: 'card', value: phrases.method('card', cardOf(token)) },
      { label: 'card_expires', value: expires },
    ],
    ...linkedTo('update_card', ground.portalLinks.get(id)),
  }
}
