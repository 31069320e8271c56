import { adyenAdapter } from './adyen/index.ts'
import { airwallexAdapter } from './airwallex/index.ts'
import type { AcquirerAdapter, AcquirerName } from './port/adapter.ts'
import type { Capabilities } from './port/port.ts'
import { SIMULATOR_CAPABILITIES, SIMULATOR_NAME } from './simulator/simulator-acquirer.ts'
import { stripeAdapter } from './stripe/index.ts'

export const ADAPTERS: Readonly<Record<AcquirerName, AcquirerAdapter>> = {
  stripe: stripeAdapter,
  adyen: adyenAdapter,
  airwallex: airwallexAdapter,
}

const CAPABILITIES: ReadonlyMap<string, Capabilities> = new Map([
  [SIMULATOR_NAME, SIMULATOR_CAPABILITIES],
  ...Object.values(ADAPTERS).map(({ name, capabilities }) => [name, capabilities] as const),
])

export function capabilitiesOf(acquirerName: string): Capabilities {
  return CAPABILITIES.get(acquirerName) ?? NONE
}

const NONE: Capabilities = {
  closes: new Set(),
  commitsReferences: false,
  multipleCaptures: false,
  voidsCaptured: false,
  needsSecurityCode: false,
}
