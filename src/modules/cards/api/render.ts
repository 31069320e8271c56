import { maskNumber } from '#kernel/card-number'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Authorization } from '../authorizations/authorization.ts'
import { NUMBER_LENGTH } from '../cards/card-number.ts'
import { type Card, statusAt } from '../cards/card.ts'
import { type CardLimit, LIMIT_PERIODS, usedAmount } from '../limits/limit.ts'
import type { LimitChange } from '../storage/limit.repository.ts'
import { type Usage, usageAt } from '../limits/usage.ts'

export interface CardWithLimits {
  readonly card: Card
  readonly limits: readonly CardLimit[]
  readonly usage: Usage
}

export function renderCard({ card, limits, usage }: CardWithLimits, at: Instant): object {
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

export function renderLinkedCard(card: Card, encrypted: string | undefined, at: Instant): object {
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
    pan: encrypted ?? maskNumber(card.first6, card.last4, NUMBER_LENGTH),
    issuer_brand: card.issuerBrand,
    is_encrypt: encrypted !== undefined,
    reference_id: card.referenceId,
    business_name: card.businessName,
    ...(card.metadata !== null && { metadata: card.metadata }),
  }
}

export function renderLimitChange(change: LimitChange): object {
  return {
    id: change.id,
    remark: change.remark,
    card_limit: change.limitId,
    limit_amount: decimalOf(change.currency, change.amountMinor),
    p_created_at: toRfc3339(change.createdAt),
  }
}

export function renderAuthorization(authorization: Authorization): object {
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
