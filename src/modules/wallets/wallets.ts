import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { Watcher } from './chain/watcher.ts'
import { createWallet } from './addresses/create-wallet.ts'
import { type FeeRuleQuery, type FeeRuleRequest, feeRules, setFeeRule } from './fees/fee-rules.ts'
import { WalletFunding } from './ledger/funding.ts'
import { transactionsPage, type TransactionsQuery } from './api/list-transactions.ts'
import { addressQr, walletsPage } from './api/look-up.ts'
import type { WalletsDependencies } from './dependencies.ts'

/** Users' wallets, their deposits from chains, and their ledger. Made once, in compose.ts. */
export class Wallets {
  readonly #deps: WalletsDependencies
  /** Reads the chains; started and stopped with the process's workers. */
  readonly watcher: Watcher
  /** What cards that are funded from wallets ask; compose.ts hands it to the cards. */
  readonly funding: WalletFunding

  constructor(deps: WalletsDependencies) {
    this.#deps = deps
    this.watcher = new Watcher(deps)
    this.funding = new WalletFunding(deps.configuration.chains)
  }

  /** POST digital_wallets: answers `{digital_wallet}`. */
  create(caller: Caller, userId: string): Promise<{ digital_wallet: object }> {
    return createWallet(this.#deps, caller, userId)
  }

  /** GET digital_wallets: answers `{digital_wallets, page}`. */
  page(
    caller: Caller,
    userId: string | undefined,
    page: PageRequest,
  ): Promise<{ digital_wallets: object[]; page: object }> {
    return walletsPage(this.#deps, caller, userId, page)
  }

  /** Endpoint 11: answers `{transactions, page}`. */
  transactions(
    caller: Caller,
    query: TransactionsQuery,
    page: PageRequest,
  ): Promise<{ transactions: object[]; page: object }> {
    return transactionsPage(this.#deps, caller, query, page)
  }

  /** The QR code of a deposit address: answers `{address_qr}`. */
  addressQr(caller: Caller, walletId: string, blockchain: string): Promise<{ address_qr: object }> {
    return addressQr(this.#deps, caller, walletId, blockchain)
  }

  /** Endpoint 10: answers `{fee_rules}`. */
  feeRules(caller: Caller, query: FeeRuleQuery): Promise<{ fee_rules: object[] }> {
    return feeRules(this.#deps, caller, query)
  }

  /** PUT fee_rule: answers `{fee_rules}`. */
  setFeeRule(caller: Caller, rule: FeeRuleRequest): Promise<{ fee_rules: object[] }> {
    return setFeeRule(this.#deps, caller, rule)
  }
}
