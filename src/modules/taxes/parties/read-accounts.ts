import { decimalToString } from '#kernel/decimal'
import type { ExactNumber } from '#kernel/json'
import { errors } from '../errors.ts'
import type { BookkeepingAccounts, DatevSettings, RateAccount } from '../model/bookkeeping.ts'
import type { Treatment } from '../model/tax.ts'
import { readPercentage } from '../rates/read-rate.ts'

interface RateAccountRequest {
  readonly percentage: number | ExactNumber
  readonly treatment: Treatment
  readonly account: string
  readonly tax_key?: string
}

export interface AccountsRequest {
  readonly receivables?: string | null
  readonly bank?: string | null
  readonly cash?: string | null
  readonly fees?: string | null
  readonly revenue?: readonly RateAccountRequest[]
  readonly tax?: readonly RateAccountRequest[]
}

export interface DatevRequest {
  readonly consultant: number
  readonly client: number
  readonly fiscal_year_start: string
  readonly account_length: number
}

export function readAccounts(request: AccountsRequest): BookkeepingAccounts {
  return {
    receivables: request.receivables ?? null,
    bank: request.bank ?? null,
    cash: request.cash ?? null,
    fees: request.fees ?? null,
    revenue: readRateAccounts(request.revenue ?? [], 'revenue'),
    tax: readRateAccounts(request.tax ?? [], 'tax'),
  }
}

/** Only the day of the year counts: the year is that of the exported range. */
export function readDatev(request: DatevRequest): DatevSettings {
  return {
    consultant: request.consultant,
    client: request.client,
    fiscalYearStart: request.fiscal_year_start.slice(-5),
    accountLength: request.account_length,
  }
}

function readRateAccounts(accounts: readonly RateAccountRequest[], member: string): RateAccount[] {
  const known = new Set<string>()
  return accounts.map((request, index) => {
    const param = `settings.accounts.${member}[${index}]`
    const percentage = readPercentage(request.percentage)
    if (typeof percentage === 'string') {
      throw errors.accounts_invalid({ param, message: `${param}.percentage ${percentage}.` })
    }
    const key = `${request.treatment} ${Number(decimalToString(percentage))}`
    if (known.has(key)) {
      throw errors.accounts_invalid({
        param,
        message: `${param} has the treatment and percentage of another; name each once.`,
      })
    }
    known.add(key)
    return {
      percentage,
      treatment: request.treatment,
      account: request.account,
      taxKey: request.tax_key ?? null,
    }
  })
}
