import { isDurationProblem, parseTimer } from '#kernel/duration'
import type { Currency } from '#kernel/currencies'
import { Money, parseMoney, sumMoney } from '#kernel/money'
import { editMetadata } from '#platform/http/validation/metadata'
import { amountInvalid, readAmount, readCurrency } from '../requests/amounts.ts'
import { errors } from '../errors.ts'
import { lineTotal, type NewLineItem, type NewOrder, type Timeout } from '../model/order.ts'
import type { CreateOrderRequest } from '../model/order-requests.ts'

type RequestedLine = NonNullable<CreateOrderRequest['line_items']>[number]

export type RequestedOrder = Omit<NewOrder, 'source' | 'type' | 'at'>

export function readOrder(
  request: CreateOrderRequest,
  mayReceiveWebhooks: (url: string) => boolean,
): RequestedOrder {
  const currency = readCurrency(request.currency, 'order.currency')
  const lineItems = request.line_items?.map((line, index) => readLine(currency, line, index)) ?? null
  const { initialTotal, initialTips } = readTotals(currency, request, lineItems)
  if (request.notify_url !== undefined && !mayReceiveWebhooks(request.notify_url)) {
    throw errors.notify_url_not_allowed({ param: 'order.notify_url' })
  }
  return {
    referenceNumber: request.reference_number,
    initialTotal,
    initialTips,
    lineItems,
    dueDate: request.due_date ?? null,
    customerUuid: request.customer_uuid ?? null,
    returnUrl: request.return_url ?? null,
    notifyUrl: request.notify_url ?? null,
    timeout: readTimeout(request.timeout),
    metadata: editMetadata(null, request.metadata, 'order.metadata'),
  }
}

function readLine(currency: Currency, line: RequestedLine, index: number): NewLineItem {
  const member = `order.line_items[${index}]`
  const read = {
    purchasableType: line.purchasable_type,
    purchaseId: line.purchase_id ?? null,
    price: readAmount(currency, line.price, `${member}.price`),
    quantity: line.quantity,
    label: line.label ?? null,
  }
  checkRange(lineTotal(read), member)
  return read
}

function readTotals(
  currency: Currency,
  request: CreateOrderRequest,
  lineItems: readonly NewLineItem[] | null,
): { initialTotal: Money; initialTips: Money } {
  const total =
    request.initial_total === undefined
      ? undefined
      : readAmount(currency, request.initial_total, 'order.initial_total')
  const tips =
    request.initial_tips === undefined
      ? undefined
      : readAmount(currency, request.initial_tips, 'order.initial_tips')
  if (tips?.isNegative()) throw amountInvalid('order.initial_tips', 'must not be negative')
  const totals = lineItems === null ? withoutLines(total, tips) : ofLines(currency, lineItems, total, tips)
  if (totals.initialTotal.isNegative()) throw amountInvalid('order.initial_total', 'must not be negative')
  return totals
}

function withoutLines(
  total: Money | undefined,
  tips: Money | undefined,
): { initialTotal: Money; initialTips: Money } {
  if (total === undefined) throw errors.total_missing({ param: 'order.initial_total' })
  if (tips?.greaterThan(total)) {
    throw errors.totals_disagree({
      param: 'order.initial_tips',
      message: 'order.initial_tips must not be more than order.initial_total.',
    })
  }
  return { initialTotal: total, initialTips: tips ?? Money.zero(total.currency) }
}

function ofLines(
  currency: Currency,
  lineItems: readonly NewLineItem[],
  total: Money | undefined,
  tips: Money | undefined,
): { initialTotal: Money; initialTips: Money } {
  const tipLines = lineItems.filter((line) => line.purchasableType === 'RearTips')
  const initialTips = sumMoney(currency, tipLines.map(lineTotal))
  const initialTotal = sumMoney(currency, lineItems.map(lineTotal))
  if (tips !== undefined && !tips.equals(initialTips)) {
    throw errors.totals_disagree({
      param: 'order.initial_tips',
      message: `order.initial_tips must be the sum of the RearTips lines, ${initialTips.toString()}.`,
    })
  }
  if (total !== undefined && !total.equals(initialTotal)) {
    throw errors.totals_disagree({
      param: 'order.initial_total',
      message: `order.initial_total must be the sum of the lines, ${initialTotal.toString()}.`,
    })
  }
  if (initialTips.isNegative()) {
    throw errors.amount_invalid({
      param: 'order.line_items',
      message: 'The sum of the RearTips lines must not be negative.',
    })
  }
  for (const sum of [initialTips, initialTotal.minus(initialTips), initialTotal]) {
    checkRange(sum, 'order.line_items')
  }
  return { initialTotal, initialTips }
}

/** The total of valid prices may have more digits than an amount. */
function checkRange(total: Money, param: string): void {
  const read = parseMoney(total.currency, total.toString())
  if (read instanceof Money) return
  throw errors.amount_invalid({ param, message: `The total of ${param} ${read.message}.` })
}

function readTimeout(timeout: CreateOrderRequest['timeout']): Timeout | null {
  if (timeout === undefined) return null
  const seconds = parseTimer(timeout.timer)
  if (isDurationProblem(seconds)) {
    throw errors.timeout_invalid({
      param: 'order.timeout.timer',
      message: `order.timeout.timer ${seconds.message}.`,
    })
  }
  return { timer: timeout.timer, seconds, url: timeout.url ?? null }
}
