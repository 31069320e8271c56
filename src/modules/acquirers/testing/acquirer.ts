import { pino } from 'pino'
import { afterAll } from 'vitest'
import { createSimulatorAcquirer, startSimulator } from '../index.ts'
import { type BookLine, putFaults, readBooks, temporaryDirectory } from './simulator.ts'

export async function createTestAcquirer(options: { timeoutMs: number }) {
  const { dir, remove } = await temporaryDirectory()
  const simulator = await startSimulator({ port: 0, dir, log: pino({ level: 'silent' }) })
  const acquirer = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1', ...options })
  afterAll(async () => {
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
