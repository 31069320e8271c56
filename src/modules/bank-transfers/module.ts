import { defineModule } from '#platform/module'
import { renderEntryData } from './api/render.ts'
import { bankTransferRoutes } from './api/routes.ts'
import { verifyBankTransfers } from './audit/verify.ts'
import type { BankTransfersContext } from './context.ts'
import type { BankTransfersDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { ambiguousReturns } from './returns/ambiguous-returns.ts'
import { findReturned, findUnmatched } from './storage/attention.repository.ts'
import { BANK_TRANSFERS_PERSONAL_DATA } from './storage/personal-data.ts'

export { BANK_ENTRY_EVENTS } from './api/events.ts'

export interface BankTransfers {
  readonly ambiguousReturns: typeof ambiguousReturns
  readonly unmatchedTransfers: typeof findUnmatched
  readonly returnedTransfers: typeof findReturned
}

export const bankTransfersModule = defineModule({
  name: 'bank-transfers',
  errors: errors.catalogue,
  verify: verifyBankTransfers,
  personalData: BANK_TRANSFERS_PERSONAL_DATA,
  connect: (deps: BankTransfersDependencies) => {
    const bankTransfers: BankTransfers = {
      ambiguousReturns,
      unmatchedTransfers: findUnmatched,
      returnedTransfers: findReturned,
    }
    return { bankTransfers, routes: bankTransferRoutes(contextOf(deps)) }
  },
})

export function contextOf(deps: BankTransfersDependencies): BankTransfersContext {
  return { ...deps, present: { entry: renderEntryData } }
}
