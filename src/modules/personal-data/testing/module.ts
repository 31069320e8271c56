import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { rendered } from '#platform/testing/requests'
import {
  renderCheck,
  renderErasureData,
  renderErasuresPage,
  renderHoldData,
  renderRetention,
} from '../api/render.ts'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { checkErasure } from '../erasing/check-erasure.ts'
import { erasureById, erasuresOfPage } from '../erasing/read-erasures.ts'
import { eraseCustomer } from '../erasing/request-erasure.ts'
import { exportCustomer } from '../exporting/export-customer.ts'
import { liftHold, placeHold } from '../holds/legal-hold.ts'
import { personalDataModule } from '../module.ts'
import { getRetention, setRetention } from '../retention/retention-settings.ts'

export type TestModule = ReturnType<typeof createModule>

export function createModule(deps: PersonalDataDependencies) {
  const bind =
    <Args extends unknown[], Result>(useCase: (deps: PersonalDataDependencies, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(deps, ...args)
  return {
    jobs: personalDataModule.connect(deps).jobs,
    export: bind(exportCustomer),
    check: rendered(bind(checkErasure), renderCheck),
    erase: rendered(bind(eraseCustomer), renderErasureData),
    erasure: rendered(bind(erasureById), renderErasureData),
    erasures: async (caller: Caller, request: PageRequest) =>
      renderErasuresPage(request, await erasuresOfPage(deps, caller, request)),
    hold: rendered(bind(placeHold), renderHoldData),
    lift: rendered(bind(liftHold), renderHoldData),
    retention: rendered(bind(getRetention), renderRetention),
    setRetention: rendered(bind(setRetention), renderRetention),
  }
}
