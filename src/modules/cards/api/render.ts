import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import { maskNumber } from '#kernel/card-number'
import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Authorization } from '../model/authorization.ts'
import type { OperationReply } from '../authorizations/operate.ts'
import { NUMBER_LENGTH } from '../cards/card-number.ts'
import { statusAt } from '../model/card.ts'
import type { LinkedCard } from '../cards/link-card.ts'
import type { CardView } from '../context.ts'
import type { DecisionHook } from '../model/decision-hook.ts'
import { LIMIT_PERIODS, usedAmount } from '../model/limit.ts'
import type { LimitChange } from '../storage/limit.repository.ts'
import { usageAt } from '../model/usage.ts'
import type {
  AuthorizationData,
  AuthorizationSchema,
  CardData,
  CardSchema,
  HookData,
  LimitChangeSchema,
  LinkedCardSchema,
} from './schemas.ts'

export function renderCardData(view: CardView): Static<typeof CardData> {
  return { card: renderCard(view) }
}

function renderCard({ card, limits, usage, at }: CardView): Static<typeof CardSchema> {
  const current = usageAt(usage, card.timeZone, at)
  const sorted = limits.toSorted((a, b) => LIMIT_PERIODS.indexOf(a.period) - LIMIT_PERIODS.indexOf(b.period))
  return {
    id: card.id,
    title: card.title,
    type: card.type,
    mode: card.mode,
    status: statusAt(card, at),
    physical_status: card.physicalStatus,
    ...(card.statusRemark !== '' && { status_remark: card.statusRemark }),
    settlement_currency: card.currency,
    first_6_digits: card.first6,
    last_4_digits: card.last4,
    issuer_brand: card.issuerBrand,
    reference_id: card.referenceId,
    ...(card.pUserId !== null && card.mode === 'B2C' && { p_user_id: card.pUserId }),
    business_name: card.businessName,
    p_created_at: toRfc3339(card.createdAt),
    expiration_date: card.expirationDate,
    time_zone: card.timeZone,
    spending_controls: card.spendingControls,
    ...(card.fundingWalletId !== null && { funding_wallet_id: card.fundingWalletId }),
    ...(card.metadata !== null && { metadata: card.metadata }),
    limits: sorted.map((limit) => ({
      id: limit.id,
      period: limit.period,
      limit_amount: decimalOf(card.currency, limit.amountMinor),
      used_amount: decimalOf(card.currency, usedAmount(limit.period, current)),
      status: limit.status,
    })),
  }
}

export function renderCardsPage(request: PageRequest, found: readonly CardView[]) {
  const keyOf = ({ card }: CardView) => ({ at: card.createdAt, id: card.id })
  const { rows: cards, page } = renderPage(request, found, keyOf, renderCard)
  return { cards, page }
}

export function renderLinkedCard({ card, encryptedNumber, at }: LinkedCard): Static<typeof LinkedCardSchema> {
  return {
    id: card.id,
    ...(card.pUserId !== null && card.mode === 'B2C' && { p_user_id: card.pUserId }),
    title: card.title,
    type: card.type,
    expiration_date: card.expirationDate,
    settlement_currency: card.currency,
    first_6_digits: card.first6,
    last_4_digits: card.last4,
    status: statusAt(card, at),
    pan: encryptedNumber ?? maskNumber(card.first6, card.last4, NUMBER_LENGTH),
    issuer_brand: card.issuerBrand,
    is_encrypt: encryptedNumber !== undefined,
    reference_id: card.referenceId,
    business_name: card.businessName,
    ...(card.metadata !== null && { metadata: card.metadata }),
  }
}

export function renderLimitHistoryPage(request: PageRequest, found: readonly LimitChange[]) {
  const { rows, page } = renderPage(request, found, byCreation, renderLimitChange)
  return { limit_history: rows, page }
}

function renderLimitChange(change: LimitChange): Static<typeof LimitChangeSchema> {
  return {
    id: change.id,
    remark: change.remark,
    card_limit: change.limitId,
    limit_amount: decimalOf(change.currency, change.amountMinor),
    p_created_at: toRfc3339(change.createdAt),
  }
}

export function renderAuthorizationsPage(request: PageRequest, found: readonly Authorization[]) {
  const keyOf = ({ createdAt, uuid }: Authorization) => ({ at: createdAt, id: uuid })
  const { rows, page } = renderPage(request, found, keyOf, renderAuthorization)
  return { authorizations: rows, page }
}

export function renderAuthorizationData(authorization: Authorization): Static<typeof AuthorizationData> {
  return { authorization: renderAuthorization(authorization) }
}

export function renderHookData(
  hook: DecisionHook & { readonly secret?: string | undefined },
): Static<typeof HookData> {
  return {
    decision_hook: {
      url: hook.url,
      timeout_ms: hook.timeoutMs,
      on_silence: hook.timeoutFallback,
      ...(hook.secret !== undefined && { secret: hook.secret }),
    },
  }
}

function renderAuthorization(authorization: Authorization): Static<typeof AuthorizationSchema> {
  const { currency } = authorization
  return {
    uuid: authorization.uuid,
    card_id: authorization.cardId,
    state: authorization.state,
    approved: authorization.state !== 'declined' && authorization.pendingHook === null,
    ...(authorization.declineReason !== null && { decline_reason: authorization.declineReason }),
    amount: decimalOf(currency, authorization.amountMinor),
    held_amount: decimalOf(currency, authorization.heldMinor),
    captured_amount: decimalOf(currency, authorization.capturedMinor),
    refunded_amount: decimalOf(currency, authorization.refundedMinor),
    currency,
    merchant: authorization.merchant,
    reference_id: authorization.referenceId,
    p_created_at: toRfc3339(authorization.createdAt),
  }
}

function decimalOf(currency: string, minor: bigint): string {
  return Money.ofMinor(currency, minor).toString()
}

export function renderOperated(operated: OperationReply): Static<typeof AuthorizationData> {
  return operated.kind === 'done'
    ? renderAuthorizationData(operated.authorization)
    : (operated.response as Static<typeof AuthorizationData>)
}
