import type { OrdersChangedHandler } from '#modules/payments'
import { defineModule } from '#platform/module'
import { renderEntryData } from './api/render.ts'
import { outsideRoutes } from './api/by-hand.routes.ts'
import { bankTransferRoutes } from './api/routes.ts'
import { verifyBankTransfers } from './audit/verify.ts'
import type { BankTransfersContext, MovedCreditHandler } from './context.ts'
import type { BankTransfersDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { ambiguousReturns } from './returns/ambiguous-returns.ts'
import { reverseWriteOffs } from './by-hand/reverse-write-offs.ts'
import { findReturned, findUnmatched } from './storage/attention.repository.ts'
import { findDebtorNames } from './storage/match.repository.ts'
import { BANK_TRANSFERS_PERSONAL_DATA } from './storage/personal-data.ts'
import { findOrdersWrittenOff, findWriteOffs } from './storage/write-off.repository.ts'

export { BANK_ENTRY_EVENTS } from './api/events.ts'

/**
 * - `handleOrderChanges`: Register with `payments.onOrdersChanged`.
 * - `onMovedCredit`: Registers what adds an overpayment to a plan.
 */
export interface BankTransfers {
  readonly ambiguousReturns: typeof ambiguousReturns
  readonly unmatchedTransfers: typeof findUnmatched
  readonly returnedTransfers: typeof findReturned
  readonly handleOrderChanges: OrdersChangedHandler
  readonly onMovedCredit: (handler: MovedCreditHandler) => void
}

export const bankTransfersModule = defineModule({
  name: 'bank-transfers',
  errors: errors.catalogue,
  verify: verifyBankTransfers,
  personalData: BANK_TRANSFERS_PERSONAL_DATA,
  connect: (deps: BankTransfersDependencies) => {
    const ctx = contextOf(deps)
    deps.invoices.readSettlements(findWriteOffs)
    deps.invoices.findWriteOffs(findOrdersWrittenOff)
    deps.invoices.readPayers(findDebtorNames)
    const bankTransfers: BankTransfers = {
      ambiguousReturns,
      unmatchedTransfers: findUnmatched,
      returnedTransfers: findReturned,
      handleOrderChanges: reverseWriteOffs,
      onMovedCredit: (handler) => void ctx.movedCreditHandlers.push(handler),
    }
    return { bankTransfers, routes: [...bankTransferRoutes(ctx), ...outsideRoutes(ctx)] }
  },
})

export function contextOf(deps: BankTransfersDependencies): BankTransfersContext {
  return { ...deps, movedCreditHandlers: [], present: { entry: renderEntryData } }
}
