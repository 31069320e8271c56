import Type from 'typebox'
import { listQuery, PageSchema } from '#platform/http/validation/list'
import { OneOf, Resource, strictObject, Text, TimestampOut } from '#platform/http/validation/schemas'
import { FEE_RULE_TYPES, NewFeeRuleSchema } from '../fees/fee-rule-request.ts'
import { Deposit } from '../model/deposit.ts'
import { WALLET_TRANSACTION_STATES } from '../model/transaction.states.ts'

const UserId = (description: string) => Text({ max: 255, description })
const HONG_KONG_TIME = 'YYYY-MM-DD hh:mm:ss in Hong Kong time'

export const CreateWalletBody = strictObject({
  digital_wallet: strictObject({ p_user_id: UserId('Your id of the user, who has one wallet.') }),
})

export const WalletsQuery = listQuery({ p_user_id: Type.Optional(UserId('Only the wallet of this user.')) })

const WalletSchema = Resource('DigitalWallet', {
  id: Type.String(),
  p_user_id: Type.String(),
  addresses: Type.Array(Type.Object({ blockchain: Type.String(), address: Type.String() })),
  balances: Type.Array(
    Type.Object({
      currency: Type.String(),
      amount: Type.String({ description: 'Total, held money included.' }),
      available_amount: Type.String(),
      held_amount: Type.String({ description: 'Held by card authorizations.' }),
    }),
  ),
  p_created_at: TimestampOut(),
})

export const WalletData = Type.Object({ digital_wallet: WalletSchema })
export const WalletsData = Type.Object({ digital_wallets: Type.Array(WalletSchema), page: PageSchema })

export const FeeRuleQuery = strictObject({
  type: OneOf(FEE_RULE_TYPES),
  user_id: Type.Optional(UserId('Required when type is user.')),
})

export const FeeRuleBody = strictObject({ fee_rule: NewFeeRuleSchema })

const FeeRuleSchema = Resource('WalletFeeRule', {
  fixed_fee: Type.String({ description: 'US dollars.' }),
  percentage_fee: Type.String(),
  user_id: Type.Optional(Type.String()),
  business_id: Type.Optional(Type.String()),
})

export const FeeRulesData = Type.Object({ fee_rules: Type.Array(FeeRuleSchema) })

export const TransactionsQuery = listQuery({
  p_user_id: UserId('The owner of the wallet.'),
  wallet_id: Text({ max: 255 }),
  start_at: Type.Optional(Text({ max: 64, description: `First second, inclusive: ${HONG_KONG_TIME}.` })),
  end_at: Type.Optional(Text({ max: 64, description: `Last second, inclusive: ${HONG_KONG_TIME}.` })),
  state: Type.Optional(OneOf(WALLET_TRANSACTION_STATES, { description: 'Default confirmed.' })),
})

const WalletTransactionSchema = Resource('WalletTransaction', {
  id: Type.String(),
  wallet_id: Type.String(),
  blockchain: Type.String(),
  block_hash: Type.String(),
  block_number: Type.Integer(),
  transaction_hash: Type.String(),
  contract_address: Type.String({ description: 'Empty for the native coin.' }),
  source_address: Type.String(),
  destination_address: Type.String(),
  currency: Type.String(),
  amount: Type.String({ description: 'All decimals of the token, at least 2.' }),
  amount_in_usd: Type.String(),
  calculated_fee: Type.String({ description: 'Owed in US dollars; the deposit is credited in full.' }),
  state: OneOf(WALLET_TRANSACTION_STATES),
  p_created_at: TimestampOut({ description: 'Time of the block.' }),
})

export const WalletTransactionData = Type.Object({ wallet_transaction: WalletTransactionSchema })
export const WalletTransactionsData = Type.Object({
  transactions: Type.Array(WalletTransactionSchema),
  page: PageSchema,
})

const AddressQrSchema = Type.Object({
  blockchain: Type.String(),
  chain_id: Type.Integer(),
  address: Type.String(),
  svg: Type.String({ description: 'SVG document with the QR code of the address.' }),
})

export const AddressQrData = Type.Object({ address_qr: AddressQrSchema })

export const SendDepositBody = strictObject({ deposit: Deposit })

export const SentDepositData = Type.Object({
  deposit: Type.Object({
    wallet_id: Type.String(),
    blockchain: Type.String(),
    transaction_hash: Type.String({ description: 'That of the wallet’s transaction, once it is read.' }),
    currency: Type.String(),
    amount: Type.String(),
  }),
})
