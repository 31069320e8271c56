import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import type { Search, SearchHit } from '#platform/search/search'
import type { Tx } from '#platform/postgres/database'
import { Watcher } from './chain/watcher.ts'
import { createWallet } from './addresses/create-wallet.ts'
import { type FeeRuleQuery, type FeeRuleRequest, findFeeRule, setFeeRule } from './fees/fee-rules.ts'
import { WalletFunding } from './ledger/funding.ts'
import { listWalletTransactions, type TransactionsQuery } from './api/list-transactions.ts'
import { addressQr } from './api/address-qr.ts'
import { getWallet, listUserWallets } from './api/list-wallets.ts'
import type { WalletsDependencies } from './dependencies.ts'
import { searchWallets } from './storage/search.repository.ts'

export class Wallets {
  readonly #deps: WalletsDependencies
  readonly watcher: Watcher
  readonly funding: WalletFunding

  constructor(deps: WalletsDependencies) {
    this.#deps = deps
    this.watcher = new Watcher(deps)
    this.funding = new WalletFunding(deps.configuration.chains)
  }

  create(caller: Caller, userId: string): Promise<{ digital_wallet: object }> {
    return createWallet(this.#deps, caller, userId)
  }

  list(
    caller: Caller,
    userId: string | undefined,
    page: PageRequest,
  ): Promise<{ digital_wallets: object[]; page: object }> {
    return listUserWallets(this.#deps, caller, userId, page)
  }

  get(caller: Caller, id: string): Promise<{ digital_wallet: object }> {
    return getWallet(this.#deps, caller, id)
  }

  listTransactions(
    caller: Caller,
    query: TransactionsQuery,
    page: PageRequest,
  ): Promise<{ transactions: object[]; page: object }> {
    return listWalletTransactions(this.#deps, caller, query, page)
  }

  search(tx: Tx, search: Search): Promise<SearchHit[]> {
    return searchWallets(tx, search)
  }

  addressQr(caller: Caller, walletId: string, blockchain: string): Promise<{ address_qr: object }> {
    return addressQr(this.#deps, caller, walletId, blockchain)
  }

  feeRules(caller: Caller, query: FeeRuleQuery): Promise<{ fee_rules: object[] }> {
    return findFeeRule(this.#deps, caller, query)
  }

  setFeeRule(caller: Caller, rule: FeeRuleRequest): Promise<{ fee_rules: object[] }> {
    return setFeeRule(this.#deps, caller, rule)
  }
}
