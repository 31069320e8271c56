import Type from 'typebox'
import { listQuery, PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { ENTRY_TYPES, RESULTS } from '../model/entry.ts'
import { LINE_STATES, PAYOUT_STATES } from '../storage/reconciliation.repository.ts'

export const ReconciliationsQuery = listQuery({ acquirer_account_id: Type.Optional(Text({ max: 64 })) })
export const EntriesQuery = listQuery({ result: Type.Optional(OneOf(RESULTS)) })
export const RunBody = strictObject({
  acquirer_account_id: Type.Optional(
    Text({
      max: 64,
      description: 'All active accounts when omitted. In test environments `simulator` pays out first.',
    }),
  ),
})

const PayoutSchema = Resource('Payout', {
  id: Type.String({ description: 'The id at the acquirer.' }),
  amount: AmountOut(),
  currency: Type.String(),
  state: OneOf(PAYOUT_STATES),
  arrives_at: TimestampOut(),
  lines: OneOf(LINE_STATES, {
    description:
      'Whether all lines that it pays are here. `unavailable`: the acquirer does not say which, and they stay with their days.',
  }),
})

const count = (description: string) => Type.Integer({ description })

const ReconciliationSchema = Resource('Reconciliation', {
  id: Type.String(),
  acquirer_account_id: Type.String(),
  payout: Nullable(PayoutSchema),
  date: Nullable(
    Type.String({ format: 'date', description: 'The day (UTC) of lines that no payout pays yet.' }),
  ),
  matched: count('Lines with their transaction or dispute here, of the same amount.'),
  missing_here: count('Lines without a transaction or dispute here.'),
  missing_there: count('Transactions and lost disputes here that the acquirer has no line for.'),
  different_amount: count('Lines whose amount is not that of their transaction or dispute.'),
  fees: Type.Array(Type.Object({ currency: Type.String(), amount: AmountOut() }), {
    description: 'What the acquirer kept: fees of lines, and lines that are fees.',
  }),
  totals: Type.Array(
    Resource('ReconciliationTotal', {
      type: OneOf(ENTRY_TYPES),
      result: OneOf(RESULTS),
      currency: Type.String(),
      count: Type.Integer(),
      gross: AmountOut(),
      fee: AmountOut(),
      net: AmountOut(),
    }),
  ),
  created_at: TimestampOut(),
})

const EntrySchema = Resource('ReconciliationEntry', {
  id: Type.String({
    description: "The acquirer's id of the line. For `missing_there` the id of our transaction or dispute.",
  }),
  result: OneOf(RESULTS),
  type: OneOf(ENTRY_TYPES),
  acquirer_type: Type.String({ description: "The acquirer's own word, such as `charge`." }),
  acquirer_reference: Nullable(Type.String()),
  currency: Type.String(),
  gross: AmountOut({ description: 'Positive for money that comes in.' }),
  fee: AmountOut({ description: 'Positive for what the acquirer keeps.' }),
  net: AmountOut(),
  paid: Nullable(
    Type.Object(
      { currency: Type.String(), amount: AmountOut() },
      {
        description: 'What the payer paid, where it was settled in another currency.',
      },
    ),
  ),
  expected: Nullable(
    Type.Object(
      { currency: Type.String(), amount: AmountOut() },
      {
        description: 'Our amount, where it differs.',
      },
    ),
  ),
  order_number: Nullable(Type.String()),
  transaction: Nullable(Type.Object({ uuid: Type.String() })),
  dispute: Nullable(Type.Object({ id: Type.String() })),
  created_at: TimestampOut(),
  available_at: Nullable(TimestampOut()),
})

const RunSchema = Resource('ReconciliationRun', {
  acquirer_account_id: Type.String(),
  state: OneOf(['waiting', 'running']),
  next_run_at: TimestampOut(),
  completed_at: Nullable(
    TimestampOut({ description: 'The start of the last completed run: earlier lines are compared.' }),
  ),
  problem: Nullable(Type.String({ description: 'Why the acquirer could not be asked. It is asked again.' })),
})

export const ReconciliationData = Type.Object({ reconciliation: ReconciliationSchema })
export const ReconciliationsData = Type.Object({
  reconciliations: Type.Array(ReconciliationSchema),
  page: PageSchema,
})
export const EntriesData = Type.Object({ entries: Type.Array(EntrySchema), page: PageSchema })
export const RunsData = Type.Object({ reconciliation_runs: Type.Array(RunSchema) })
export const CsvReport = Type.String({ description: 'One line for each entry, oldest first.' })
