import { isCurrency } from '#kernel/currencies'
import { newId } from '#kernel/ids'
import type { TimeZone } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { once } from '#platform/idempotency/idempotency'
import { insertTerms } from '#platform/search/term-index'
import { editMetadata } from '#platform/http/validation/metadata'
import { generateNumber, ISSUER_BRAND, sealBinding } from './card-number.ts'
import { type Card, endOfValidity, expirationDateOf } from '../model/card.ts'
import { findCardIdByReference, insertCard } from '../storage/card.repository.ts'
import { CARD_EXPIRY } from '../job-names.ts'
import { errors } from '../errors.ts'
import { newLimit, requireDistinctPeriods } from '../requests/limits.ts'
import { parseZone } from '../requests/time-zone.ts'
import { insertLimits } from '../storage/limit.repository.ts'
import type { CardsContext, CardView } from '../context.ts'
import { newUsage } from '../model/usage.ts'
import { CARD_TITLES } from '../storage/search.repository.ts'
import type { IssueRequest } from '../model/requests.ts'
import { insertUsage } from '../storage/usage.repository.ts'

/**
 * Issues a card, which is Inactive until it is linked (reference/cards#issuing).
 * @throws 404 unknown funding wallet; 409 the reference id is taken; 422 unknown currency or time zone, an invalid limit, a
 * period named twice, a wallet that cannot fund the card
 */
export async function issueCard(ctx: CardsContext, caller: Caller, request: IssueRequest): Promise<CardView> {
  const profile = await ctx.businesses.profile(caller.businessId)
  const zone = request.time_zone === undefined ? profile.timeZone : parseZone(request.time_zone)
  if (!isCurrency(request.settlement_currency)) {
    throw errors.card_currency_unknown({ param: 'card.settlement_currency' })
  }
  requireDistinctPeriods(request.limits, 'card.limits')
  requireDistinctPeriods(request.spending_controls?.count_limits, 'card.spending_controls.count_limits')
  return once(ctx.db, caller, async (tx) => {
    await requireFundingWallet(ctx, tx, request)
    const card = await newCard(ctx, tx, request, { zone, businessName: profile.name })
    const limits = (request.limits ?? []).map((limit, index) =>
      newLimit(card, limit, `card.limits[${index}]`, tx.now),
    )
    if (!(await insertCard(tx, card))) throw await cardExists(tx, request.reference_id)
    if (card.title !== '') insertTerms(tx, CARD_TITLES, [card.id])
    const usage = newUsage(card.id, zone, tx.now)
    await Promise.all([
      insertUsage(tx, usage),
      insertLimits(tx, limits),
      scheduleJob(tx, CARD_EXPIRY, card.expiresAt),
    ])
    return { card, limits, usage, at: tx.now }
  })
}

async function newCard(
  ctx: CardsContext,
  tx: Tx,
  request: IssueRequest,
  defaults: { zone: TimeZone; businessName: string },
): Promise<Card> {
  const id = newId('crd')
  const number = await generateNumber(tx, ctx.keyring)
  const expirationDate = expirationDateOf(tx.now, defaults.zone)
  return {
    id,
    referenceId: request.reference_id,
    type: request.type,
    mode: request.mode,
    title: request.title ?? '',
    businessName: request.business_name ?? defaults.businessName,
    currency: request.settlement_currency,
    status: 'Inactive',
    physicalStatus: 'Idle',
    statusRemark: '',
    pUserId: null,
    timeZone: defaults.zone,
    zoneSince: tx.now,
    sealedNumber: ctx.keyring.seal(number, sealBinding(tx.businessId, id)),
    first6: number.slice(0, 6),
    last4: number.slice(-4),
    issuerBrand: ISSUER_BRAND,
    expirationDate,
    expiresAt: endOfValidity(expirationDate, defaults.zone),
    spendingControls: request.spending_controls ?? {},
    fundingWalletId: request.funding_wallet_id ?? null,
    metadata: editMetadata(null, request.metadata, 'card.metadata'),
    createdAt: tx.now,
  }
}

async function requireFundingWallet(ctx: CardsContext, tx: Tx, request: IssueRequest): Promise<void> {
  const walletId = request.funding_wallet_id
  if (walletId === undefined) return
  const param = 'card.funding_wallet_id'
  const acceptance = await ctx.funding?.accepts(tx, walletId, request.settlement_currency)
  if (acceptance === 'no_wallet') throw errors.funding_wallet_not_found({ param })
  if (acceptance !== 'accepted') {
    const message = `No wallet currency can fund a card in ${request.settlement_currency}.`
    throw errors.card_funding_not_available({ param, message })
  }
}

async function cardExists(tx: Tx, referenceId: string): Promise<Error> {
  const id = await findCardIdByReference(tx, referenceId)
  return errors.card_exists({
    param: 'card.reference_id',
    ...(id !== null && {
      message: `card.reference_id is already used by card ${id}.`,
      data: { card: { id, reference_id: referenceId } },
    }),
  })
}
