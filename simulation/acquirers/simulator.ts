import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cardToBind } from '../../scenarios/harness/client.ts'
import { putFaults, readBooks, SimulatorProcess } from '../../src/modules/acquirers/testing/simulator.ts'
import type { CardBehavior } from './card-behavior.ts'
import type { SimulatedAcquirer } from './acquirer.ts'
import { FaultSetter } from './fault-setter.ts'

const CARD_NUMBERS: Readonly<Record<CardBehavior, string>> = {
  approves: '4242424242424242',
  declines: '4000000000000341',
  stolen: '4000000000009979',
}

export function createSimulator(directory: string): SimulatedAcquirer {
  let simulator: SimulatorProcess | undefined
  let port = 0
  const url = () => `http://127.0.0.1:${port}`
  const faults = new FaultSetter((next) => putFaults(url(), next))
  return {
    name: 'simulator',
    log: join(directory, 'books.ndjson'),
    isBooking: (line) => line.includes('"entry":"payment"') && !line.includes('"operation":"verification"'),
    env: () => ({ SIMULATOR_URL: url() }),
    start: async () => {
      await mkdir(directory, { recursive: true })
      simulator = await SimulatorProcess.start(directory, port)
      port = simulator.port
      await faults.started()
    },
    kill: async () => {
      faults.killed()
      await simulator?.stop('SIGKILL')
    },
    setFaults: (next) => faults.set(next),
    connect: async () => {},
    newCard: async (_customerUuid, behavior) => cardToBind(CARD_NUMBERS[behavior]),
    forgetKeys: async () => {},
    books: () => readBooks(url()),
  }
}
