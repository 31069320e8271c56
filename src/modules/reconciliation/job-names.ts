export const RECONCILIATIONS = 'reconciliations'
