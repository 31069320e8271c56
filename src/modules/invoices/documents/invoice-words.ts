import type { Treatment } from '#modules/taxes'
import type { NoteCause } from '../model/invoice.ts'

/** - `due`, `exchangeRate`, `page`, `reason`, `refundToCard`, `taxIn`: With the names of their values in braces. */
export interface InvoiceWords {
  readonly invoice: string
  readonly creditNote: string
  readonly number: string
  readonly issueDate: string
  readonly dueDate: string
  readonly correctedInvoice: string
  readonly reason: string
  readonly reasons: Readonly<Record<Exclude<NoteCause, 'request'>, string>>
  readonly takenOffDue: string
  readonly refund: string
  readonly refundToCard: string
  readonly addedToCredit: string
  readonly paymentReference: string
  readonly seller: string
  readonly buyer: string
  readonly vatId: string
  readonly due: string
  readonly paid: string
  readonly item: string
  readonly quantity: string
  readonly unitPrice: string
  readonly rate: string
  readonly tax: string
  readonly amount: string
  readonly discount: string
  readonly subtotal: string
  readonly taxIn: string
  readonly exchangeRate: string
  readonly total: string
  readonly prepaid: string
  readonly credited: string
  readonly amountPaid: string
  readonly amountDue: string
  readonly taxRate: string
  readonly taxableAmount: string
  readonly transfer: string
  readonly accountHolder: string
  readonly accountNumber: string
  readonly bankName: string
  readonly bankCode: string
  readonly branchCode: string
  readonly fpsId: string
  readonly buyerReference: string
  readonly purchaseOrder: string
  readonly hkBusinessRegistration: string
  readonly scanToPay: string
  readonly page: string
  readonly testMode: string
  readonly treatments: Readonly<Record<Exclude<Treatment, 'taxed'>, string>>
}

const ENGLISH: InvoiceWords = {
  invoice: 'Invoice',
  creditNote: 'Credit note',
  number: 'Number',
  issueDate: 'Date of issue',
  dueDate: 'Due date',
  correctedInvoice: 'Corrects invoice',
  reason: 'Reason: {reason}',
  reasons: { refund: 'Refund', change: 'Change of the plan', void: 'Order voided', reissue: 'Correction' },
  takenOffDue: 'Taken off what was due',
  refund: 'Refund',
  refundToCard: 'Refund to the card ending in {last4}',
  addedToCredit: 'Credit for later bills',
  paymentReference: 'Payment reference',
  seller: 'From',
  buyer: 'Bill to',
  vatId: 'VAT ID',
  due: '{amount} due by {date}',
  paid: 'Paid',
  item: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  rate: 'Tax',
  tax: 'Tax',
  amount: 'Amount',
  discount: 'Discount',
  subtotal: 'Subtotal without tax',
  taxIn: 'Tax in {currency}',
  exchangeRate: 'Exchange rate of {date}: 1 {base} = {rate} {quote}',
  total: 'Total',
  prepaid: 'Prepaid',
  credited: 'Credited',
  amountPaid: 'Amount paid',
  amountDue: 'Amount due',
  taxRate: 'Tax rate',
  taxableAmount: 'Taxable amount',
  transfer: 'Pay by bank transfer',
  accountHolder: 'Account holder',
  accountNumber: 'Account number',
  bankName: 'Bank',
  bankCode: 'Bank code',
  branchCode: 'Branch code',
  fpsId: 'FPS ID',
  buyerReference: 'Buyer reference',
  purchaseOrder: 'Purchase order',
  hkBusinessRegistration: 'Business Registration No.',
  scanToPay: 'Scan to pay online',
  page: 'Page {page} of {pages}',
  testMode: 'Test mode: nobody owes anything.',
  treatments: {
    exempt: 'Exempt from tax',
    reverse_charge: 'Reverse charge',
    no_rate: 'Exempt from tax',
    not_registered: 'Not subject to tax',
  },
}

const TRADITIONAL_CHINESE: InvoiceWords = {
  invoice: '發票',
  creditNote: '貸項通知單',
  number: '編號',
  issueDate: '開立日期',
  dueDate: '到期日',
  correctedInvoice: '原發票',
  reason: '原因：{reason}',
  reasons: { refund: '退款', change: '訂閱變更', void: '訂單已作廢', reissue: '更正' },
  takenOffDue: '抵減應付金額',
  refund: '退款',
  refundToCard: '退款至末四碼為 {last4} 的卡',
  addedToCredit: '轉為餘額，用於日後帳單',
  paymentReference: '付款參考編號',
  seller: '賣方',
  buyer: '買方',
  vatId: '增值稅號',
  due: '請於 {date} 或之前支付 {amount}',
  paid: '已付清',
  item: '項目',
  quantity: '數量',
  unitPrice: '單價',
  rate: '稅率',
  tax: '稅額',
  amount: '金額',
  discount: '折扣',
  subtotal: '未稅小計',
  taxIn: '稅額（{currency}）',
  exchangeRate: '{date} 匯率：1 {base} = {rate} {quote}',
  total: '總額',
  prepaid: '預付抵扣',
  credited: '已沖減',
  amountPaid: '已付金額',
  amountDue: '應付金額',
  taxRate: '稅率',
  taxableAmount: '應稅金額',
  transfer: '銀行轉帳付款',
  accountHolder: '帳戶名稱',
  accountNumber: '帳戶號碼',
  bankName: '銀行',
  bankCode: '銀行代碼',
  branchCode: '分行代碼',
  fpsId: '轉數快識別代號',
  buyerReference: '買方參考編號',
  purchaseOrder: '採購單號',
  hkBusinessRegistration: '商業登記號碼',
  scanToPay: '掃碼線上付款',
  page: '第 {page} 頁，共 {pages} 頁',
  testMode: '測試模式：無須付款。',
  treatments: {
    exempt: '免稅',
    reverse_charge: '反向徵收（Reverse charge）',
    no_rate: '免稅',
    not_registered: '不徵稅',
  },
}

const SIMPLIFIED_CHINESE: InvoiceWords = {
  invoice: '发票',
  creditNote: '贷项通知单',
  number: '编号',
  issueDate: '开具日期',
  dueDate: '到期日',
  correctedInvoice: '原发票',
  reason: '原因：{reason}',
  reasons: { refund: '退款', change: '订阅变更', void: '订单已作废', reissue: '更正' },
  takenOffDue: '抵减应付金额',
  refund: '退款',
  refundToCard: '退款至尾号为 {last4} 的卡',
  addedToCredit: '转为余额，用于以后的账单',
  paymentReference: '付款参考编号',
  seller: '卖方',
  buyer: '买方',
  vatId: '增值税号',
  due: '请于 {date} 或之前支付 {amount}',
  paid: '已付清',
  item: '项目',
  quantity: '数量',
  unitPrice: '单价',
  rate: '税率',
  tax: '税额',
  amount: '金额',
  discount: '折扣',
  subtotal: '不含税小计',
  taxIn: '税额（{currency}）',
  exchangeRate: '{date} 汇率：1 {base} = {rate} {quote}',
  total: '总额',
  prepaid: '预付抵扣',
  credited: '已冲减',
  amountPaid: '已付金额',
  amountDue: '应付金额',
  taxRate: '税率',
  taxableAmount: '计税金额',
  transfer: '银行转账付款',
  accountHolder: '账户名称',
  accountNumber: '账户号码',
  bankName: '银行',
  bankCode: '银行代码',
  branchCode: '分行代码',
  fpsId: '转数快识别代码',
  buyerReference: '买方参考编号',
  purchaseOrder: '采购订单号',
  hkBusinessRegistration: '商业登记号码',
  scanToPay: '扫码在线付款',
  page: '第 {page} 页，共 {pages} 页',
  testMode: '测试模式：无需付款。',
  treatments: {
    exempt: '免税',
    reverse_charge: '反向征收（Reverse charge）',
    no_rate: '免税',
    not_registered: '不征税',
  },
}

/** @param tag BCP 47 */
export function invoiceWords(tag: string): { readonly language: string; readonly words: InvoiceWords } {
  const { language, script } = new Intl.Locale(tag).maximize()
  if (language !== 'zh' && language !== 'yue') return { language: 'en', words: ENGLISH }
  return script === 'Hans'
    ? { language: 'zh-Hans', words: SIMPLIFIED_CHINESE }
    : { language: 'zh-Hant', words: TRADITIONAL_CHINESE }
}
