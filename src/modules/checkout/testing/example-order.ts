import { Money, sumMoney } from '#kernel/money'
import { type LineItem, lineTotal, type NewLineItem, type Order, type Transaction } from '#modules/payments'

export const MADE_AT = Temporal.Instant.from('2030-12-31T20:00:00Z')

export function line(
  purchasableType: LineItem['purchasableType'],
  price: string,
  quantity: number,
  label: string | null,
): NewLineItem {
  return { purchasableType, purchaseId: null, price: Money.ofDecimal('HKD', price), quantity, label }
}

export function exampleOrder(members: { lines?: readonly NewLineItem[]; dueDate?: string } = {}): Order {
  const lines = members.lines ?? null
  const total = lines === null ? Money.ofDecimal('HKD', '100.00') : sumMoney('HKD', lines.map(lineTotal))
  return {
    id: 'ord_01kanq3x5kf0vsd2pjtwyt7cyr',
    source: 'api',
    type: 'one_off',
    referenceNumber: 'INV-2031-0042',
    currency: 'HKD',
    dueDate: members.dueDate ?? null,
    initialTotal: total,
    initialTips: Money.zero('HKD'),
    paidTotal: Money.zero('HKD'),
    reservedTotal: Money.zero('HKD'),
    creditedTotal: Money.zero('HKD'),
    writtenOff: Money.zero('HKD'),
    movedToCredit: Money.zero('HKD'),
    notedRefunds: Money.zero('HKD'),
    creditReturned: Money.zero('HKD'),
    state: 'open',
    planId: null,
    billingKind: 'period',
    invoice: null,
    tax: null,
    customerUuid: null,
    returnUrl: 'https://shop.example.com/done?cart=7',
    notifyUrl: null,
    timeout: null,
    expiresAt: null,
    lineItems: lines?.map((one, index) => ({ ...one, uuid: `lin_${index}` })) ?? null,
    metadata: null,
    planMetadata: null,
    voiding: null,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
  }
}

export function exampleTransaction(order: Order, members: Partial<Transaction> = {}): Transaction {
  return {
    id: 'txn_01kanq3x5kf0vsd2pjtwyt7cyr',
    orderId: order.id,
    type: 'Sales',
    state: 'succeeded',
    currency: order.currency,
    amount: order.initialTotal,
    referenceId: null,
    originalId: null,
    fallbackOf: null,
    acquirerAccountId: 'simulator',
    paymentMethod: 'credit_card',
    token: null,
    instrument: {
      acquirerType: 'card',
      brand: 'visa',
      first6: '424242',
      last4: '4242',
      numberLength: 16,
      holderName: 'CHAN TAI MAN',
      expMonth: 12,
      expYear: 2049,
    },
    note: null,
    voidKey: null,
    voidPending: false,
    acquirerName: 'simulator',
    merchantId: 'M1',
    answer: {
      gatewayTransactionId: 'g1',
      rrn: '',
      authCode: '',
      batchNumber: '',
      responseCode: 'approved',
      responseMessage: 'Approved.',
      hard: false,
      failure: null,
    },
    nextAction: null,
    receiptNumber: 100_000n,
    succeededAt: MADE_AT,
    valueDate: '2030-12-31',
    storedValueDate: null,
    returnedOn: null,
    lost: null,
    settlesAt: null,
    expiresAt: null,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
    ...members,
  }
}
