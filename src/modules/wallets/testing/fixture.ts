import { pino } from 'pino'
import { Registry } from 'prom-client'
import type { Static } from 'typebox'
import type { Caller, Environment } from '#platform/caller'
import { EventLog } from '#platform/events/events'
import { type PageRequest, readPage } from '#platform/http/validation/list'
import { cleanUp } from '#platform/testing/clean-up'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventTypesOf } from '#platform/testing/events'
import { rendered } from '#platform/testing/requests'
import { createWallet } from '../addresses/create-wallet.ts'
import { AddressDeriver } from '../addresses/deposit-address.ts'
import { sendDeposit } from '../addresses/send-deposit.ts'
import { addressOnChain, walletsOfPage } from '../addresses/read-wallets.ts'
import {
  renderAddressQr,
  renderFeeRules,
  renderSentDeposit,
  renderTransactionsPage,
  renderWalletData,
  renderWalletsPage,
} from '../api/render.ts'
import type { TransactionsQuery, WalletData, WalletTransactionData } from '../api/schemas.ts'
import { readTransactionsQuery } from '../api/transactions-query.ts'
import { verifyWallets } from '../audit/verify.ts'
import { Watcher } from '../chain/watcher.ts'
import type { Chain } from '../model/chain.ts'
import type { WalletsContext } from '../context.ts'
import type { WalletsDependencies } from '../dependencies.ts'
import { findFeeRule, setFeeRule } from '../fees/fee-rules.ts'
import { WalletFunding } from '../ledger/funding.ts'
import { transactionsOfPage } from '../ledger/list-transactions.ts'
import { contextOf } from '../module.ts'
import { TEST_ROOT } from './chains.ts'

export type ShownWallet = Static<typeof WalletData>['digital_wallet']
type ShownTransaction = Static<typeof WalletTransactionData>['wallet_transaction']
type Wallets = ReturnType<typeof walletsOf>

function walletsOf(deps: WalletsDependencies) {
  const ctx = contextOf(deps)
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: WalletsContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  return {
    ctx,
    watcher: new Watcher(ctx),
    funding: new WalletFunding(deps.configuration.chains),
    sendDeposit: rendered(bind(sendDeposit), renderSentDeposit),
    create: rendered(bind(createWallet), renderWalletData),
    addressQr: rendered(bind(addressOnChain), renderAddressQr),
    feeRules: rendered(bind(findFeeRule), renderFeeRules),
    setFeeRule: rendered(bind(setFeeRule), renderFeeRules),
    list: async (caller: Caller, userId: string | undefined, request: PageRequest) =>
      renderWalletsPage(request, await walletsOfPage(ctx, caller, userId, request)),
    listTransactions: async (caller: Caller, query: Static<typeof TransactionsQuery>, request: PageRequest) =>
      renderTransactionsPage(
        request,
        await transactionsOfPage(ctx, caller, readTransactionsQuery(query), request),
      ),
  }
}

export async function createFixture() {
  const database = await createTestDatabase()
  const running = new Set<Wallets>()
  const numbers = new Map<string, number>()
  const live = new Set<string>()
  const logged: string[] = []
  cleanUp(() => Promise.all([...running].map((wallets) => wallets.watcher.stop())))

  function createWallets(chains: readonly Chain[]): Wallets {
    return walletsOf({
      db: database.db,
      events: new EventLog(),
      businesses: {
        profile: async (businessId) => ({
          number: numbers.get(businessId) ?? 0,
          environment: live.has(businessId) ? 'live' : 'test',
        }),
      },
      configuration: { chains, deriver: new AddressDeriver(TEST_ROOT.publicExtendedKey) },
      log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
      registry: new Registry(),
    })
  }

  async function startWallets(chains: readonly Chain[]): Promise<Wallets> {
    const wallets = createWallets(chains)
    wallets.watcher.start()
    running.add(wallets)
    return wallets
  }

  async function stopWallets(wallets: Wallets): Promise<void> {
    running.delete(wallets)
    await wallets.watcher.stop()
  }

  async function business(
    environment: Environment = 'test',
  ): Promise<{ businessId: string; caller: Caller }> {
    const { businessId, caller } = await createTestBusiness(database)
    numbers.set(businessId, numbers.size + 1)
    if (environment === 'live') live.add(businessId)
    return { businessId, caller: { ...caller, environment } }
  }

  return {
    ...database,
    createWallets,
    startWallets,
    stopWallets,
    business,
    logged,
    breaches: (businessId: string) => Array.fromAsync(verifyWallets(database.db)(businessId)),
    eventsOf: (businessId: string, objectId: string) => eventTypesOf(database.db, businessId, objectId),
  }
}

export async function newWallet(
  wallets: Wallets,
  caller: Caller,
  userId: string,
): Promise<ShownWallet & { address: string }> {
  const { digital_wallet: wallet } = await wallets.create(caller, userId)
  return { ...wallet, address: wallet.addresses[0]?.address ?? '' }
}

export async function transactionsOf(
  wallets: Wallets,
  caller: Caller,
  wallet: { id: string; p_user_id: string },
  state: 'pending' | 'confirmed' | 'reorged' = 'confirmed',
): Promise<ShownTransaction[]> {
  const all: ShownTransaction[] = []
  const query = { p_user_id: wallet.p_user_id, wallet_id: wallet.id, state }
  for (let offset = 0; ; offset += 100) {
    const page = { list: 'wallet_transactions', offset, limit: 100, after: undefined }
    const { transactions } = await wallets.listTransactions(caller, query, page)
    all.push(...transactions)
    if (transactions.length < 100) return all
  }
}

export async function balancesOf(
  wallets: Wallets,
  caller: Caller,
  userId: string,
): Promise<Record<string, string>> {
  const { digital_wallets } = await wallets.list(caller, userId, readPage('digital_wallets', { limit: 1 }))
  const [wallet] = digital_wallets
  return Object.fromEntries((wallet?.balances ?? []).map(({ currency, amount }) => [currency, amount]))
}
