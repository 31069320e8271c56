import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Movement } from '../../twins/common/books.ts'
import { startTwin, type TwinProcess } from '../../twins/common/twin-process.ts'
import type { BookLine } from '../../src/modules/acquirers/testing/simulator.ts'
import type { ApiOrder } from './api-order.ts'
import type { Merchant } from '../system/actors/merchant.ts'
import type { CardBehavior } from './card-behavior.ts'
import type { SimulatedAcquirer } from './acquirer.ts'
import { FaultSetter } from './fault-setter.ts'

/** A kill and a restart of the twin take this long on a busy machine. */
const MAX_TRIES = 1_000
const PAUSE_MS = 250
const ACCOUNTS = '/svc/account/api/v1/openapi/acquirer_accounts'

/** What differs between the twins. */
export interface TwinKind {
  readonly acquirer: 'stripe' | 'adyen' | 'airwallex'
  readonly credentials: Readonly<Record<string, string>>
  /** The secret that signs notices. */
  readonly noticeSecret: string
  readonly forgetsKeys: boolean
  /** Members of the account. */
  readonly account?: object
  readonly settings?: object
  readonly agreement?: string
  readonly wallets?: SimulatedAcquirer['wallets']
  /** Makes a card in the twin's vault and returns its id. */
  newToken(url: string, customerUuid: string, behavior: CardBehavior): Promise<string>
  toBookLines(movements: readonly Movement[], orders: readonly ApiOrder[]): BookLine[]
}

export function createTwin(directory: string, kind: TwinKind): SimulatedAcquirer {
  let twin: TwinProcess | undefined
  let accountId = ''
  const running = (): TwinProcess => {
    if (twin === undefined) throw new Error('the twin has not been started')
    return twin
  }
  const faults = new FaultSetter((next) => running().setFaults(next))
  return {
    name: kind.acquirer,
    log: join(directory, 'books.ndjson'),
    isBooking: (line) => line.includes('"movements"'),
    env: () => ({ ALLOW_PRIVATE_WEBHOOKS: '1' }),
    start: async () => {
      await mkdir(directory, { recursive: true })
      twin = await startTwin(kind.acquirer, { dir: directory, ...(twin && { port: twin.port }) })
      await faults.started()
    },
    kill: async () => {
      faults.killed()
      await running().stop('SIGKILL')
    },
    setFaults: (next) => faults.set(next),
    connect: async (merchant: Merchant, { sendsNotices } = { sendsNotices: true }) => {
      const { acquirer_account: account } = await merchant.ok('POST', ACCOUNTS, {
        acquirer_account: {
          acquirer: kind.acquirer,
          name: 'Simulation',
          credentials: kind.credentials,
          api_base: running().url,
          ...kind.account,
        },
      })
      accountId = account.id as string
      if (kind.settings !== undefined) await running().control('PUT', '/_twin/settings', kind.settings)
      if (!sendsNotices) return
      const url = account.webhook_url as string
      await running().setNotices({ url, secret: kind.noticeSecret, delay_ms: 400, repeat: 1, shuffle: true })
    },
    newCard: async (customerUuid, behavior) => ({
      token_type: 'CreditCard',
      acquirer_token: {
        acquirer_account_id: accountId,
        id: await untilMade(() => kind.newToken(running().url, customerUuid, behavior)),
      },
    }),
    ...(kind.agreement !== undefined && {
      newAgreement: () => ({ token_type: kind.agreement, acquirer_account_id: accountId }),
    }),
    ...(kind.wallets !== undefined && { wallets: kind.wallets }),
    // A twin that is down prunes its keys at the next call.
    forgetKeys: async () => {
      if (kind.forgetsKeys)
        await running()
          .pruneKeys()
          .catch(() => {})
    },
    books: async (orders) => kind.toBookLines(await running().books(), orders),
  }
}

/** A payer whose card was not taken enters it again. */
async function untilMade(make: () => Promise<string>): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await make()
    } catch (error) {
      if (tries === MAX_TRIES) throw error
      await sleep(PAUSE_MS)
    }
  }
}
