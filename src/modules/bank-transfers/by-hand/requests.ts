import type { ExactNumber } from '#kernel/json'
import { type Money, readMoney } from '#kernel/money'
import { localDateOf } from '#kernel/time-zone'
import { paymentErrors } from '#modules/payments'
import { requireOpen } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { BankTransfersContext } from '../context.ts'
import { errors } from '../errors.ts'

/** The bound of reference/billing-transfers#payments-by-hand. */
const FIRST_VALUE_DATE = '2000-01-01'

/** By default today in the business's zone. */
export async function readValueDate(
  { businesses }: BankTransfersContext,
  tx: Tx,
  given: string | undefined,
  param: string,
): Promise<string> {
  const { timeZone } = await businesses.profile(tx.businessId)
  const today = localDateOf(tx.now, timeZone).toString()
  if (given === undefined) return today
  if (given > today || given < FIRST_VALUE_DATE)
    throw errors.value_date_invalid({
      param,
      message: `${param} must be a day from ${FIRST_VALUE_DATE} to today, ${today}.`,
    })
  return given
}

/** For what counts today: what is written off, and what moves to the credit of a plan. */
export async function requireOpenToday({ businesses }: BankTransfersContext, tx: Tx): Promise<void> {
  const { timeZone } = await businesses.profile(tx.businessId)
  await requireOpen(tx, localDateOf(tx.now, timeZone).toString())
}

export function readPositive(currency: string, value: number | ExactNumber, param: string): Money {
  const invalid = (name: string, rule: string) =>
    paymentErrors.amount_invalid({ param: name, message: `${name} ${rule}.` })
  const amount = readMoney(currency, value, param, invalid)
  if (!amount.isPositive()) throw invalid(param, 'must be more than zero')
  return amount
}
