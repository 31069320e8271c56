export type CardBehavior = 'approves' | 'declines' | 'stolen'
