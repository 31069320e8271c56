/** - `key`: Of the payment; null for a line that belongs to none. */
export interface SettlementLine {
  readonly id: string
  readonly key: string | null
  readonly type: 'payment' | 'refund'
  readonly gross: string
  readonly fee: string
}

export interface Settlement {
  readonly id: string
  readonly tenant: string
  readonly currency: string
  readonly created_ms: number
  readonly lines: readonly SettlementLine[]
}
