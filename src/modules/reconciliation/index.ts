export { type Reconciliations, reconciliationModule } from './module.ts'
