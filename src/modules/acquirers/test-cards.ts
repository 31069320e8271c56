import { ADAPTERS } from './capabilities.ts'
import { isTestCard as isSimulatorTestCard } from './simulator/server/test-cards.ts'

export function isTestCard(number: string, acquirerName: string): boolean {
  if (isSimulatorTestCard(number)) return true
  return Object.values(ADAPTERS).some(
    ({ name, testCards }) => name === acquirerName && testCards?.has(number),
  )
}
