import Type from 'typebox'
import { PageSchema, readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams, strictObject } from '#platform/http/validation/schemas'
import {
  AddressQrSchema,
  CreateWalletBody,
  FeeRuleBody,
  FeeRuleQuery,
  FeeRuleSchema,
  TransactionsQuery,
  WalletSchema,
  WalletsQuery,
  WalletTransactionSchema,
} from './schemas.ts'
import type { Wallets } from '../wallets.ts'

const BASE = '/svc/ts/api/v1/openapi/digital_wallets'
const FEE_RULE = '/api/v1/openapi/digital_wallets/fee_rule'
const TAG = 'Wallets'

export function walletRoutes(wallets: Wallets): Route[] {
  return [...digitalWalletRoutes(wallets), ...feeRuleRoutes(wallets)]
}

function digitalWalletRoutes(wallets: Wallets): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: BASE,
      scope: 'wallets:write',
      summary: "Create a user's wallet",
      description:
        'A user has one wallet, with a deposit address on each chain. A repeated request returns the same wallet.',
      tag: TAG,
      body: CreateWalletBody,
      example: { digital_wallet: { p_user_id: 'u-1001' } },
      data: Type.Object({ digital_wallet: WalletSchema }),
      handle: ({ caller, body }) => wallets.create(caller, body.digital_wallet.p_user_id),
    }),
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'wallets:read',
      summary: 'List wallets with their balances',
      tag: TAG,
      query: WalletsQuery,
      data: Type.Object({ digital_wallets: Type.Array(WalletSchema), page: PageSchema }),
      handle: ({ caller, query }) =>
        wallets.list(caller, query.p_user_id, readPage('digital_wallets', query)),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/transactions`,
      scope: 'wallets:read',
      summary: 'Get wallet transactions',
      tag: TAG,
      query: TransactionsQuery,
      data: Type.Object({ transactions: Type.Array(WalletTransactionSchema), page: PageSchema }),
      handle: ({ caller, query }) =>
        wallets.listTransactions(caller, query, readPage('wallet_transactions', query)),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id`,
      scope: 'wallets:read',
      summary: 'Get a wallet with its balances',
      tag: TAG,
      params: IdParams,
      data: Type.Object({ digital_wallet: WalletSchema }),
      handle: ({ caller, params }) => wallets.get(caller, params.id),
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id/addresses/:blockchain/qr`,
      scope: 'wallets:read',
      summary: 'Get the QR code of a deposit address',
      tag: TAG,
      params: strictObject({ id: Type.String(), blockchain: Type.String() }),
      data: Type.Object({ address_qr: AddressQrSchema }),
      handle: ({ caller, params }) => wallets.addressQr(caller, params.id, params.blockchain),
    }),
  ]
}

function feeRuleRoutes(wallets: Wallets): Route[] {
  const data = Type.Object({ fee_rules: Type.Array(FeeRuleSchema) })
  return [
    defineRoute({
      method: 'GET',
      path: FEE_RULE,
      scope: 'wallets:read',
      summary: 'Get the top-up fee rule',
      description:
        "A user's rule overrides the business's rule, which is returned when the user has none. `type=business` ignores `user_id`.",
      tag: TAG,
      query: FeeRuleQuery,
      data,
      handle: ({ caller, query }) => wallets.feeRules(caller, query),
    }),
    defineRoute({
      method: 'PUT',
      path: FEE_RULE,
      scope: 'wallets:write',
      summary: 'Set the top-up fee rule of the business or of a user',
      tag: TAG,
      body: FeeRuleBody,
      example: { fee_rule: { type: 'business', fixed_fee: '1.00', percentage_fee: '0.5' } },
      data,
      handle: ({ caller, body }) => wallets.setFeeRule(caller, body.fee_rule),
    }),
  ]
}
