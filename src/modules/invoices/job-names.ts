export const INVOICE_OVERDUE = 'invoice_overdue'
export const INVOICE_RATES = 'invoice_rates'
