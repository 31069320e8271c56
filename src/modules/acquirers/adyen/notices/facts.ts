import { type Instant, instantOf } from '#kernel/clock'
import type { Notice } from '../../port/notices.ts'
import type { Members } from '../../port/members.ts'
import { membersOf, textOf } from '../members.ts'

type Fact =
  | 'eventCode'
  | 'success'
  | 'pspReference'
  | 'originalReference'
  | 'merchantReference'
  | 'currency'
  | 'value'
  | 'eventDate'
  | 'reason'
  | 'merchantAdviceCode'
  | 'storedPaymentMethodId'
  | 'shopperReference'
  | 'disputeStatus'
  | 'chargebackReasonCode'
  | 'chargebackSchemeCode'
  | 'defensePeriodEndsAt'
  | 'autoDefended'

export type Facts = Readonly<Partial<Record<Fact, string>>>

const ADDITIONAL: readonly (readonly [Fact, ...string[]])[] = [
  ['merchantAdviceCode', 'merchantAdviceCode'],
  ['storedPaymentMethodId', 'tokenization.storedPaymentMethodId', 'recurring.recurringDetailReference'],
  ['shopperReference', 'tokenization.shopperReference', 'recurring.shopperReference', 'shopperReference'],
  ['disputeStatus', 'disputeStatus'],
  ['chargebackReasonCode', 'chargebackReasonCode'],
  ['chargebackSchemeCode', 'chargebackSchemeCode'],
  ['defensePeriodEndsAt', 'defensePeriodEndsAt'],
  ['autoDefended', 'autoDefended'],
]
const MAX_FACT_LENGTH = 500

export function factsOf(item: Members): Facts | null {
  const amount = membersOf(item, 'amount')
  const required = {
    eventCode: textOf(item, 'eventCode'),
    success: String(item.success),
    pspReference: textOf(item, 'pspReference'),
    currency: textOf(amount, 'currency'),
    value: String(amount.value),
  }
  if (required.eventCode === '' || required.pspReference === '' || !/^(true|false)$/.test(required.success))
    return null
  if (!/^\d{1,16}$/.test(required.value)) return null
  return withoutEmpty({
    ...required,
    originalReference: textOf(item, 'originalReference'),
    merchantReference: textOf(item, 'merchantReference'),
    eventDate: textOf(item, 'eventDate'),
    reason: reasonOf(item, required.success),
    ...additionalFacts(membersOf(item, 'additionalData')),
  })
}

/** The reason of an approved AUTHORISATION is `authCode:last4:expiry`, which is card data. */
function reasonOf(item: Members, success: string): string {
  const isApproval = textOf(item, 'eventCode') === 'AUTHORISATION' && success === 'true'
  return isApproval ? '' : textOf(item, 'reason')
}

function additionalFacts(additional: Members): Facts {
  const found = ADDITIONAL.map(([fact, ...names]) => {
    const name = names.find((each) => textOf(additional, each) !== '')
    return [fact, name === undefined ? '' : textOf(additional, name)]
  })
  return Object.fromEntries(found) as Facts
}

function withoutEmpty(facts: Facts): Facts {
  const kept = Object.entries(facts).filter(([, value]) => value !== '' && value !== 'null')
  return Object.fromEntries(kept.map(([name, value]) => [name, value.slice(0, MAX_FACT_LENGTH)]))
}

export function factsOfNotice({ facts }: Notice): Facts {
  return facts
}

export function timeOf(text: string | undefined): Instant | null {
  if (text === undefined) return null
  try {
    return instantOf(text)
  } catch {
    return null
  }
}
