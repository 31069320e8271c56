import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { createSimulatorAcquirer, type Simulator, startSimulator } from '../index.ts'
import { describePort } from '../testing/port-suite.ts'
import { card, putFaults, readBooks, temporaryDirectory } from '../testing/simulator.ts'

// Proves reference/acquirers#outcomes.
let temporary: Awaited<ReturnType<typeof temporaryDirectory>>
let simulator: Simulator
let acquirer: ReturnType<typeof createSimulatorAcquirer>

beforeAll(async () => {
  temporary = await temporaryDirectory()
  simulator = await startSimulator({ port: 0, dir: temporary.dir, log: pino({ level: 'silent' }) })
  acquirer = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1' })
})
afterAll(async () => {
  await acquirer.close()
  await simulator.close()
  await temporary.remove()
})

describePort('the simulator', {
  connect: async () => acquirer,
  books: () => readBooks(simulator.url),
  setFaults: async (faults) => void (await putFaults(simulator.url, faults)),
  instruments: {
    approves: card(),
    declinesSoft: card('4000000000009995'),
    declinesHard: card('4000000000009987'),
    challenges: card('4000002500003155'),
    needsPayer: card('4000002500003155'),
  },
  answerChallenge: async (url, answer) => {
    const button = url.replace(/page$/, answer === 'approve' ? 'confirm' : 'decline')
    await fetch(button, { method: 'POST', redirect: 'manual' })
    return {}
  },
})
