export { bulkActionsModule } from './module.ts'
export type { BulkActions } from './bulk-actions.ts'
