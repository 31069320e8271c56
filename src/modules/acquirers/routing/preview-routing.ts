import { isCurrency } from '#kernel/currencies'
import type { ExactNumber } from '#kernel/json'
import { readMoney } from '#kernel/money'
import type { AccountStatistics } from '../accounts/statistics.ts'
import type { RouteDecision, RouteQuestion } from './decide-route.ts'
import { invalid } from './put-routing.ts'

export interface PreviewRequest {
  readonly amount: number | ExactNumber
  readonly currency: string
  readonly brand?: string | undefined
  readonly country?: string | undefined
  readonly payment_method?: RouteQuestion['paymentMethod'] | undefined
  readonly source?: RouteQuestion['source'] | undefined
  readonly raw_card_number?: boolean | undefined
}

export function readQuestion(request: PreviewRequest): RouteQuestion {
  const { amount, currency, brand, country, payment_method, source, raw_card_number } = request
  if (!isCurrency(currency)) throw invalid('currency', 'must be an ISO 4217 currency')
  const money = readMoney(currency, amount, 'amount', invalid)
  if (!money.isPositive()) throw invalid('amount', 'must be above zero')
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

export function renderPreview(decision: RouteDecision, statistics: AccountStatistics): object {
  return {
    rule: decision.rule,
    account: decision.account,
    fallback: decision.fallback,
    reason: reasonOf(decision),
    candidates: decision.candidates.map(({ id, leftOut }) => {
      const { successRate, averageMs } = statistics.of(id)
      return {
        id,
        left_out: leftOut,
        success_rate: successRate,
        latency_ms: averageMs === null ? null : Math.round(averageMs),
      }
    }),
  }
}

function reasonOf({ rule, account }: RouteDecision): string {
  if (account === null) return 'No account can take this payment.'
  if (rule === null) return `No rule decides, and ${account} is the oldest active account that can take it.`
  return `Rule ${rule} is the first that matches and has an account that can take it.`
}
