import { pino } from 'pino'
import { cleanUp } from '#platform/testing/clean-up'
import {
  type Acquirer,
  acquirerErrors,
  type Acquirers,
  createSimulatorAcquirer,
  SIMULATOR_ACCOUNT,
  startSimulator,
} from '../index.ts'
import { type BookLine, putFaults, readBooks, temporaryDirectory } from './simulator.ts'

export async function createTestAcquirer(options: { timeoutMs: number }) {
  const { dir, remove } = await temporaryDirectory()
  const simulator = await startSimulator({ port: 0, dir, log: pino({ level: 'silent' }) })
  const acquirer = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1', ...options })
  cleanUp(async () => {
    await acquirer.close()
    await simulator.close()
    await remove()
  })
  return {
    acquirer,
    simulator,
    books: (): Promise<BookLine[]> => readBooks(simulator.url),
    setFaults: async (faults: object): Promise<void> => {
      const answer = await putFaults(simulator.url, faults)
      if (!answer.ok) throw new Error(`faults: ${answer.status} ${await answer.text()}`)
    },
  }
}

/** Test environments on the simulator only; live ones have no account. Asks for the acquirer each time: tests replace it. */
export function simulatedAcquirers(
  current: () => Acquirer,
): Pick<Acquirers, 'router' | 'open' | 'connected' | 'repeatHolds' | 'repeatFailures' | 'laterFailure'> {
  return {
    repeatHolds: async () => {},
    repeatFailures: async () => {},
    laterFailure: async () => null,
    router: async ({ environment }) => {
      if (environment === 'live') {
        return {
          first: null,
          route: () => [],
          account: () => null,
          hasPageFor: () => false,
          takesWallet: () => false,
        }
      }
      const { name: acquirerName, merchantId, capabilities } = current()
      const simulator = { id: SIMULATOR_ACCOUNT, acquirerName, merchantId, capabilities }
      return {
        first: simulator,
        route: () => [simulator],
        account: () => simulator,
        hasPageFor: () => true,
        takesWallet: () => true,
      }
    },
    connected: async () => {
      throw acquirerErrors.acquirer_not_configured()
    },
    open: async (_businessId, accountId) => {
      if (accountId !== SIMULATOR_ACCOUNT) throw acquirerErrors.acquirer_not_configured()
      return current()
    },
  }
}
