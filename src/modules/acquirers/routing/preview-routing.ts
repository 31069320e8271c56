import { isCurrency } from '#kernel/currencies'
import { errorOf } from '#kernel/errors'
import { readMoney } from '#kernel/money'
import type { Caller } from '#platform/caller'
import type { AccountFigures } from '../accounts/statistics.ts'
import type { AcquirersContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { Candidate, RouteDecision, RouteQuestion } from './decide-route.ts'
import { invalid } from './decide-rule.ts'
import type { PreviewRequest } from './routing-requests.ts'

export interface RoutePreview {
  readonly decision: RouteDecision
  readonly candidates: readonly (Candidate & AccountFigures)[]
}

export async function previewRouting(
  { configurations, chooser, statistics }: AcquirersContext,
  caller: Caller,
  request: PreviewRequest,
): Promise<RoutePreview> {
  const question = readQuestion(request)
  const configuration = await configurations.get(caller.businessId)
  const decision = chooser.preview(caller, configuration, question)
  const candidates = decision.candidates.map((one) => ({ ...one, ...statistics.of(one.id) }))
  return { decision, candidates }
}

function readQuestion(request: PreviewRequest): RouteQuestion {
  const { amount, currency, brand, country, payment_method, source, raw_card_number } = request
  if (!isCurrency(currency)) throw errorOfMember('currency', 'must be an ISO 4217 currency')
  const money = readMoney(currency, amount, 'amount', errorOfMember)
  if (!money.isPositive()) throw errorOfMember('amount', 'must be above zero')
  return {
    amount: money,
    brand: brand ?? null,
    country: country ?? null,
    paymentMethod: payment_method ?? 'credit_card',
    source: source ?? 'one_off',
    instrument: raw_card_number === true ? 'card' : 'any',
    boundTo: null,
  }
}

function errorOfMember(param: string, rule: string): Error {
  return errorOf(errors, invalid(param, rule))
}
