export type { SettledDay } from './matching/days.ts'
export { type Reconciliations, reconciliationModule } from './module.ts'
