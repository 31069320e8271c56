export { createDecisionMetrics } from './decisions/decision-metrics.ts'
export { CARD_EVENTS } from './events.ts'
export { cardsModule } from './module.ts'
