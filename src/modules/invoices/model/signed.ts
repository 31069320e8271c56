import type { Money } from '#kernel/money'
import type { Invoice } from './invoice.ts'

/** The amounts of a credit note are negative in reports and files, so that columns can be summed. */
export function signed({ type }: Pick<Invoice, 'type'>, amount: Money): Money {
  return type === 'credit_note' ? amount.negated() : amount
}
