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

/** Above every stall of a busy machine. */
const TIMEOUT_MS = 60_000

/**
 * @param options.silenceMs after which the simulator closes a connection whose request gets no response. The acquirer's own timeout
 *   never ends a request, because it would also end those whose responses a busy machine delays.
 */
export async function createTestAcquirer({ silenceMs }: { readonly silenceMs: number }) {
  const { dir, remove } = await temporaryDirectory()
  const simulator = await startSimulator({ port: 0, dir, log: pino({ level: 'silent' }), silenceMs })
  const acquirer = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1', timeoutMs: TIMEOUT_MS })
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
