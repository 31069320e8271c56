import type { TokenType } from '../model/payment-token.ts'

export interface BindRequest {
  readonly token_type: TokenType
  readonly credit_card?: CardRequest
  readonly acquirer_token?: AcquirerTokenRequest
  readonly default?: boolean
  readonly return_url?: string
}

interface AcquirerTokenRequest {
  readonly acquirer_account_id: string
  readonly id: string
}

export interface CardRequest {
  readonly number: string
  readonly exp_month: string
  readonly exp_year: string
  readonly cvc: string
  readonly holder_name: string
  readonly billing_currency: string
}
