export type CustomerEvent =
  | 'customer.erased'
  | `payment_token.${'active' | 'failed' | 'expiring' | 'deleted'}`
