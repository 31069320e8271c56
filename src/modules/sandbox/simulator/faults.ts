import type { SimulatorFaults } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { once, refuseUsedKey } from '#platform/idempotency/idempotency'
import type { SandboxDependencies } from '../dependencies.ts'
import type { FaultSettings } from './fault-settings.ts'

type FaultsDependencies = Pick<SandboxDependencies, 'db' | 'simulator'>

export async function getFaults(
  { simulator }: FaultsDependencies,
  { businessId }: Caller,
): Promise<SimulatorFaults> {
  return known(await simulator.faults(businessId))
}

/** Replaces the faults of the caller's tenant. The simulator forgets them when it ends. */
export async function putFaults(
  { db, simulator }: FaultsDependencies,
  caller: Caller,
  settings: FaultSettings,
): Promise<SimulatorFaults> {
  await refuseUsedKey(db, caller)
  const replaced = await simulator.faults(caller.businessId, {
    latency_ms: settings.latency_ms,
    fail_before: settings.fail_before_percent / 100,
    fail_after: settings.fail_after_percent / 100,
    lose_answer: settings.lose_answer_percent / 100,
  })
  return once(db, caller, async () => known(replaced))
}

function known(faults: SimulatorFaults | undefined): SimulatorFaults {
  if (faults !== undefined) return faults
  throw platformErrors.unavailable({ message: 'The acquirer simulator does not answer.' })
}
