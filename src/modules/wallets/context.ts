import type { WalletsDependencies } from './dependencies.ts'
import type { WalletTransaction } from './model/transaction.ts'

interface Presentation {
  readonly transaction: (transaction: WalletTransaction) => object
}

export interface WalletsContext extends WalletsDependencies {
  readonly present: Presentation
}
