import Type from 'typebox'
import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams, strictObject } from '#platform/http/validation/schemas'
import { createWallet } from '../addresses/create-wallet.ts'
import { sendDeposit } from '../addresses/send-deposit.ts'
import { addressOnChain, walletById, walletsOfPage } from '../addresses/read-wallets.ts'
import type { WalletsContext } from '../context.ts'
import { findFeeRule, setFeeRule } from '../fees/fee-rules.ts'
import { transactionsOfPage } from '../ledger/list-transactions.ts'
import {
  renderAddressQr,
  renderFeeRules,
  renderSentDeposit,
  renderTransactionsPage,
  renderWalletData,
  renderWalletsPage,
} from './render.ts'
import {
  AddressQrData,
  CreateWalletBody,
  FeeRuleBody,
  FeeRuleQuery,
  FeeRulesData,
  SendDepositBody,
  SentDepositData,
  TransactionsQuery,
  WalletData,
  WalletsData,
  WalletsQuery,
  WalletTransactionsData,
} from './schemas.ts'
import { readTransactionsQuery } from './transactions-query.ts'

const BASE = '/svc/ts/api/v1/openapi/digital_wallets'
const FEE_RULE = '/api/v1/openapi/digital_wallets/fee_rule'
const DEPOSITS = '/svc/sandbox/api/v1/openapi/deposits'
const TAG = 'Wallets'

export function walletRoutes(ctx: WalletsContext): Route[] {
  return [...digitalWalletRoutes(ctx), ...feeRuleRoutes(ctx), depositRoute(ctx)]
}

function digitalWalletRoutes(ctx: WalletsContext): Route[] {
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
      data: WalletData,
      handle: ({ caller, body }) => createWallet(ctx, caller, body.digital_wallet.p_user_id),
      render: renderWalletData,
    }),
    defineRoute({
      method: 'GET',
      path: BASE,
      scope: 'wallets:read',
      summary: 'List wallets with their balances',
      tag: TAG,
      query: WalletsQuery,
      data: WalletsData,
      handle: async ({ caller, query }) => {
        const request = readPage('digital_wallets', query)
        return renderWalletsPage(request, await walletsOfPage(ctx, caller, query.p_user_id, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/transactions`,
      scope: 'wallets:read',
      summary: 'Get wallet transactions',
      tag: TAG,
      query: TransactionsQuery,
      data: WalletTransactionsData,
      handle: async ({ caller, query }) => {
        const request = readPage('wallet_transactions', query)
        const transactions = await transactionsOfPage(ctx, caller, readTransactionsQuery(query), request)
        return renderTransactionsPage(request, transactions)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id`,
      scope: 'wallets:read',
      summary: 'Get a wallet with its balances',
      tag: TAG,
      params: IdParams,
      data: WalletData,
      handle: ({ caller, params }) => walletById(ctx, caller, params.id),
      render: renderWalletData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id/addresses/:blockchain/qr`,
      scope: 'wallets:read',
      summary: 'Get the QR code of a deposit address',
      tag: TAG,
      params: strictObject({ id: Type.String(), blockchain: Type.String() }),
      data: AddressQrData,
      handle: ({ caller, params }) => addressOnChain(ctx, caller, params.id, params.blockchain),
      render: renderAddressQr,
    }),
  ]
}

function feeRuleRoutes(ctx: WalletsContext): Route[] {
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
      data: FeeRulesData,
      handle: ({ caller, query }) => findFeeRule(ctx, caller, query),
      render: renderFeeRules,
    }),
    defineRoute({
      method: 'PUT',
      path: FEE_RULE,
      scope: 'wallets:write',
      summary: 'Set the top-up fee rule of the business or of a user',
      tag: TAG,
      body: FeeRuleBody,
      example: { fee_rule: { type: 'business', fixed_fee: '1.00', percentage_fee: '0.5' } },
      data: FeeRulesData,
      handle: ({ caller, body }) => setFeeRule(ctx, caller, body.fee_rule),
      render: renderFeeRules,
    }),
  ]
}

function depositRoute(ctx: WalletsContext): Route {
  return defineRoute({
    method: 'POST',
    path: DEPOSITS,
    scope: 'wallets:write',
    environments: 'test',
    takesIdempotencyKey: false,
    summary: 'Send a deposit to a wallet on the chain of the sandbox',
    description:
      'Sends coins from an account of the development node that `CHAINS_FILE` marks with `sandbox: true`. The deposit is then read from the chain like any other. Every request sends once more.',
    tag: 'Sandbox',
    body: SendDepositBody,
    example: { deposit: { wallet_id: 'wal_0190000000000000000000', amount: '0.5' } },
    data: SentDepositData,
    handle: ({ caller, body }) => sendDeposit(ctx, caller, body.deposit),
    render: renderSentDeposit,
  })
}
