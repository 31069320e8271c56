import { setTimeout as sleep } from 'node:timers/promises'
import { Money } from '#kernel/money'
import { type AuthorizationModel, CardModel, hasLapsed } from '../model/card-model.ts'
import type { CardLife, CardStep } from '../plan/draw-cards.ts'
import { shareOf } from '../plan/draw-orders.ts'
import type { Business } from './business.ts'

export const CARDS = '/svc/ts/api/v1/openapi/cards'
const CURRENCY = 'HKD'
const MERCHANT = { name: 'Grocer', mcc: '5411', country: 'HK' }

export async function liveCard(business: Business, life: CardLife): Promise<void> {
  const { merchant } = business
  const { card } = await merchant.ok(
    'POST',
    CARDS,
    {
      card: {
        reference_id: life.name,
        type: 'virtual',
        settlement_currency: CURRENCY,
        mode: 'B2C',
        limits: [
          { period: 'Transaction', limit_amount: decimal(BigInt(life.transactionMinor)) },
          { period: 'Lifetime', limit_amount: decimal(BigInt(life.lifetimeMinor)) },
        ],
      },
    },
    { idempotencyKey: `${life.name}-create` },
  )
  await merchant.ok('POST', `${CARDS}/link`, { card_reference_id: life.name, p_user_id: 'holder' })
  const model = new CardModel(life, card.id as string)
  business.cards.push(model)
  for (const [index, step] of life.steps.entries())
    await runStep(business, model, step, `${life.name}s${index}`)
}

async function runStep(business: Business, model: CardModel, step: CardStep, name: string): Promise<void> {
  if (step.do === 'authorize') {
    await sleep(step.pauseMs)
    const references = Array.from({ length: step.times }, (_, index) => `${name}.${index}`)
    const decided = await Promise.all(
      references.map((reference) => authorize(business, model, BigInt(step.minor), reference)),
    )
    business.findings.push(...model.decide(decided))
    return
  }
  const last = model.authorizations.findLast(({ approved }) => approved)
  if (last === undefined) return
  switch (step.do) {
    case 'repeat': {
      const again = await authorize(business, model, last.minor + 1n, last.reference)
      if (again.uuid !== last.uuid) business.findings.push(`${last.uuid} was decided again as ${again.uuid}`)
      return
    }
    case 'capture':
      return capture(business, last, step, name)
    case 'reverse':
      return reverse(business, last, name)
    case 'refund':
      return refund(business, last, step.percent, name)
  }
}

async function authorize(
  { merchant }: Business,
  model: CardModel,
  minor: bigint,
  reference: string,
): Promise<AuthorizationModel> {
  const { authorization } = await merchant.ok('POST', `${CARDS}/${model.id}/authorizations`, {
    authorization: {
      amount: decimal(minor),
      currency: CURRENCY,
      merchant: MERCHANT,
      reference_id: reference,
    },
  })
  const approved = authorization.approved as boolean
  return {
    uuid: authorization.uuid as string,
    reference,
    approved,
    minor,
    at: Temporal.Instant.from(authorization.p_created_at as string),
    heldMinor: approved ? minor : 0n,
    capturedMinor: 0n,
    refundedMinor: 0n,
  }
}

/** A capture above the hold or after its end is forced, and counts all the same. */
async function capture(
  business: Business,
  target: AuthorizationModel,
  step: { readonly percent: number; readonly isFinal: boolean },
  name: string,
): Promise<void> {
  const minor = shareOf(target.minor, step.percent)
  const body = { amount: decimal(minor), final: step.isFinal, reference_id: name }
  const reply = await business.merchant.call('POST', `${CARDS}/authorizations/${target.uuid}/capture`, body)
  const isReversed = target.heldMinor === 0n && target.capturedMinor === 0n
  if (reply.status === 409 && isReversed) return
  if (reply.status !== 200) return unexpected(business, `capture ${name}`, reply)
  const left = target.heldMinor - minor
  target.heldMinor = step.isFinal || left < 0n ? 0n : left
  target.capturedMinor += minor
}

async function reverse(business: Business, target: AuthorizationModel, name: string): Promise<void> {
  const reply = await business.merchant.call('POST', `${CARDS}/authorizations/${target.uuid}/reverse`, {})
  const hasLapsedNow = hasLapsed(target, await business.merchant.now())
  if (reply.status === 409 && (target.heldMinor === 0n || hasLapsedNow)) return
  if (reply.status !== 200) return unexpected(business, `reversal ${name}`, reply)
  target.heldMinor = 0n
}

async function refund(
  business: Business,
  target: AuthorizationModel,
  percent: number,
  name: string,
): Promise<void> {
  const left = target.capturedMinor - target.refundedMinor
  const minor = shareOf(target.minor, percent)
  const body = { amount: decimal(minor), reference_id: name }
  const reply = await business.merchant.call('POST', `${CARDS}/authorizations/${target.uuid}/refund`, body)
  if (minor > left && (reply.status === 409 || reply.status === 422)) return
  if (reply.status !== 200) return unexpected(business, `refund ${name}`, reply)
  target.refundedMinor += minor
}

function unexpected(business: Business, what: string, reply: { status: number; data: unknown }): void {
  business.findings.push(`${what} got the unexpected response ${reply.status}: ${JSON.stringify(reply.data)}`)
}

export function decimal(minor: bigint): string {
  return Money.ofMinor(CURRENCY, minor).toString()
}
