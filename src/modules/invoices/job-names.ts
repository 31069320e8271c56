export const INVOICE_OVERDUE = 'invoice_overdue'
