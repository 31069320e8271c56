import type { BulkActionsDependencies } from './dependencies.ts'
import type { BulkTargets } from './run/targets.ts'

export interface BulkActionsContext extends BulkActionsDependencies {
  readonly targets: BulkTargets
}
