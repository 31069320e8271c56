import type { WalletsDependencies } from './dependencies.ts'
import type { WalletTransaction } from './ledger/transaction.ts'

interface Presentation {
  readonly transaction: (transaction: WalletTransaction) => object
}

export interface WalletsContext extends WalletsDependencies {
  readonly present: Presentation
}
