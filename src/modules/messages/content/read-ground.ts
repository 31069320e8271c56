import type { NextBill } from '#modules/billing'
import type { Branding, BusinessProfile } from '#modules/businesses'
import type { Customer, PaymentToken } from '#modules/customers'
import type { IssuedInvoice } from '#modules/invoices'
import type { OrderWithTransactions } from '#modules/payments'
import { loadPlans, type PlanAggregate } from '#modules/plans'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import type { MessageKind } from '../model/kinds.ts'
import { type Message, orderIdOf } from '../model/message.ts'
import type { MessageTemplate } from '../model/template.ts'
import { findTemplates } from '../storage/template.repository.ts'

/** What messages are about, as it is now. */
export interface ContentGround {
  readonly profile: BusinessProfile
  readonly branding: Branding
  readonly customers: ReadonlyMap<string, Customer>
  readonly orders: ReadonlyMap<string, OrderWithTransactions>
  readonly paymentLinks: ReadonlyMap<string, string>
  readonly documents: ReadonlyMap<string, IssuedInvoice>
  readonly plans: ReadonlyMap<string, PlanAggregate>
  readonly tokens: ReadonlyMap<string, PaymentToken>
  /** Of messages that announce a bill: that bill by the id of its plan, and the default token by customer. */
  readonly nextBills: ReadonlyMap<string, NextBill>
  readonly defaultTokens: ReadonlyMap<string, PaymentToken>
  readonly portalLinks: ReadonlyMap<string, string>
  readonly templates: readonly MessageTemplate[]
}

/** The kinds that announce the next bill of a plan. */
const AHEAD: ReadonlySet<MessageKind> = new Set(['trial_ending', 'renewal_ahead'])

export function plansAhead(messages: readonly Message[]): string[] {
  return unique(messages.map(({ kind, facts }) => (AHEAD.has(kind) ? facts?.planId : undefined)))
}

/** @param read before, because that needs transactions of its own */
export async function readGround(
  ctx: MessagesContext,
  tx: Tx,
  messages: readonly Message[],
  read: Pick<ContentGround, 'branding' | 'nextBills'>,
): Promise<ContentGround> {
  const facts = messages.flatMap((message) => message.facts ?? [])
  const orderIds = unique(messages.map(orderIdOf))
  const planIds = unique(facts.map(({ planId }) => planId))
  const tokenIds = unique(facts.map(({ token }) => token))
  const documentIds = unique([
    ...facts.map(({ documentId }) => documentId),
    ...messages.flatMap((message) => message.documentIds),
  ])
  const ahead = messages.filter(({ kind }) => AHEAD.has(kind)).map(({ customerUuid }) => customerUuid)
  const [profile, customers, orders, plans, tokens, defaultTokens, documents, templates] = await Promise.all([
    ctx.businesses.profile(tx.businessId),
    ctx.customers.findCustomers(tx, unique(messages.map(({ customerUuid }) => customerUuid))),
    orderIds.length === 0 ? new Map() : ctx.payments.findOrders(tx, orderIds),
    planIds.length === 0 ? new Map() : loadPlans(tx, { planIds, bills: false }),
    tokenIds.length === 0 ? new Map() : ctx.customers.findTokens(tx, tokenIds),
    ahead.length === 0 ? new Map() : ctx.customers.defaultTokens(tx, unique(ahead)),
    Promise.all(documentIds.map((id) => ctx.invoices.findDocument(tx, id))),
    findTemplates(tx),
  ])
  return {
    ...read,
    profile,
    customers,
    orders,
    plans,
    tokens,
    defaultTokens,
    templates,
    documents: new Map(
      documents.flatMap((document) => (document === undefined ? [] : [[document.id, document]])),
    ),
    paymentLinks: await paymentLinks(ctx, tx, orders),
    portalLinks: await portalLinks(ctx, tx, messages),
  }
}

function unique(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))]
}

async function paymentLinks(
  ctx: MessagesContext,
  tx: Tx,
  orders: ReadonlyMap<string, OrderWithTransactions>,
): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>()
  for (const [id, { order }] of orders) {
    const link = await ctx.payments.paymentLink(tx.businessId, order, tx.now)
    if (link !== undefined) links.set(id, link)
  }
  return links
}

/** The kinds that lead into the portal. */
const OF_PORTAL: ReadonlySet<MessageKind> = new Set(['portal_link', 'payment_failed', 'card_expiring'])

/** By the ids of messages. */
async function portalLinks(
  ctx: MessagesContext,
  tx: Tx,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>()
  const [maker] = ctx.portalLinkMakers
  if (maker === undefined) return links
  for (const message of messages) {
    const link = OF_PORTAL.has(message.kind) ? await maker(tx, message) : undefined
    if (link !== undefined) links.set(message.id, link)
  }
  return links
}
