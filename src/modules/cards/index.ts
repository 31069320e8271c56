export { createDecisionMetrics } from './decisions/decision-metrics.ts'
export { CARD_EVENTS, cardsModule } from './module.ts'
