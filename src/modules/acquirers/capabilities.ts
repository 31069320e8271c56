import type { Capabilities } from './port/port.ts'
import { SIMULATOR_CAPABILITIES, SIMULATOR_NAME } from './simulator/simulator-acquirer.ts'

const CAPABILITIES: Readonly<Record<string, Capabilities>> = { [SIMULATOR_NAME]: SIMULATOR_CAPABILITIES }

/** @param acquirerName as recorded with a transaction; of an unknown one nothing is assumed */
export function capabilitiesOf(acquirerName: string): Capabilities {
  return CAPABILITIES[acquirerName] ?? NONE
}

const NONE: Capabilities = { closes: new Set(), multipleCaptures: false, voidsCaptured: false }
