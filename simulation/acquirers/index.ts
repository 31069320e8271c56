import type { AcquirerName, SimulatedAcquirer } from './acquirer.ts'
import { ADYEN } from './adyen.ts'
import { AIRWALLEX } from './airwallex.ts'
import { createSimulator } from './simulator.ts'
import { STRIPE } from './stripe.ts'
import { createTwin, type TwinKind } from './twin.ts'

export { ACQUIRERS, type AcquirerName, type SimulatedAcquirer } from './acquirer.ts'

const TWINS: Readonly<Record<Exclude<AcquirerName, 'simulator'>, TwinKind>> = {
  stripe: STRIPE,
  adyen: ADYEN,
  airwallex: AIRWALLEX,
}

export function createAcquirer(name: AcquirerName, directory: string): SimulatedAcquirer {
  if (name === 'simulator') return createSimulator(directory)
  return createTwin(directory, TWINS[name])
}
