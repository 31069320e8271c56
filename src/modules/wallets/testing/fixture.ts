import { pino } from 'pino'
import { Registry } from 'prom-client'
import type { Caller } from '#platform/caller'
import { EventLog } from '#platform/events/events'
import { readPage } from '#platform/http/validation/list'
import { cleanUp } from '#platform/testing/clean-up'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { eventTypesOf } from '#platform/testing/events'
import type { Chain } from '../configuration/configuration.ts'
import { AddressDeriver } from '../addresses/deposit-address.ts'
import { verifyWallets } from '../audit/verify.ts'
import { Wallets } from '../wallets.ts'
import { TEST_ROOT } from './chains.ts'

export interface ShownWallet {
  id: string
  p_user_id: string
  addresses: { blockchain: string; address: string }[]
  balances: { currency: string; amount: string; available_amount: string; held_amount: string }[]
}

export interface ShownTransaction {
  id: string
  blockchain: string
  block_hash: string
  block_number: number
  transaction_hash: string
  contract_address: string
  source_address: string
  destination_address: string
  currency: string
  amount: string
  amount_in_usd: string
  calculated_fee: string
  state: string
  p_created_at: string
}

export async function createFixture() {
  const database = await createTestDatabase()
  const running = new Set<Wallets>()
  const numbers = new Map<string, number>()
  const logged: string[] = []
  cleanUp(() => Promise.all([...running].map((wallets) => wallets.watcher.stop())))

  function createWallets(chains: readonly Chain[]): Wallets {
    return new Wallets({
      db: database.db,
      events: new EventLog(),
      businesses: { profile: async (businessId) => ({ number: numbers.get(businessId) ?? 0 }) },
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

  async function business(): Promise<{ businessId: string; caller: Caller }> {
    const made = await createTestBusiness(database)
    numbers.set(made.businessId, numbers.size + 1)
    return made
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
  const { digital_wallet } = await wallets.create(caller, userId)
  const wallet = digital_wallet as ShownWallet
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
    all.push(...(transactions as ShownTransaction[]))
    if (transactions.length < 100) return all
  }
}

export async function balancesOf(
  wallets: Wallets,
  caller: Caller,
  userId: string,
): Promise<Record<string, string>> {
  const { digital_wallets } = await wallets.list(caller, userId, readPage('digital_wallets', { limit: 1 }))
  const [wallet] = digital_wallets as ShownWallet[]
  return Object.fromEntries((wallet?.balances ?? []).map(({ currency, amount }) => [currency, amount]))
}
