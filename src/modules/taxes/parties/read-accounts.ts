import { decimalToString } from '#kernel/decimal'
import { errors } from '../errors.ts'
import type { BookkeepingAccounts, DatevSettings, RateAccount } from '../model/bookkeeping.ts'
import type { AccountsRequest, DatevRequest, RateAccountRequest } from '../model/settings-request.ts'
import { readPercentage } from '../rates/read-rate.ts'

export function readAccounts(request: AccountsRequest): BookkeepingAccounts {
  return {
    receivables: request.receivables ?? null,
    bank: request.bank ?? null,
    cash: request.cash ?? null,
    fees: request.fees ?? null,
    writeOffs: request.write_offs ?? null,
    disputes: request.disputes ?? null,
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
