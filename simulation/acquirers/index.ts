import type { AcquirerName, SimulatedAcquirer } from './acquirer.ts'
import { ADYEN } from './adyen.ts'
import { createSimulator } from './simulator.ts'
import { STRIPE } from './stripe.ts'
import { createTwin } from './twin.ts'

export { ACQUIRERS, type AcquirerName, type SimulatedAcquirer } from './acquirer.ts'

export function createAcquirer(name: AcquirerName, directory: string): SimulatedAcquirer {
  if (name === 'simulator') return createSimulator(directory)
  return createTwin(directory, name === 'stripe' ? STRIPE : ADYEN)
}
