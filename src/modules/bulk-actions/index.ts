export { type BulkActions, bulkActionsModule } from './module.ts'
