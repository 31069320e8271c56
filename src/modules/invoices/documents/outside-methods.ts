import { invoiceWords } from './invoice-words.ts'

const OUTSIDE_METHODS = ['bank_transfer', 'cash', 'cheque', 'other'] as const
type OutsideMethod = (typeof OUTSIDE_METHODS)[number]

/**
 * How money came that no acquirer moved; undefined for other methods.
 * @param language BCP 47
 */
export function outsideMethodText(method: string, language: string): string | undefined {
  const outside: OutsideMethod | undefined = OUTSIDE_METHODS.find((one) => one === method)
  return outside && invoiceWords(language).words.methods[outside]
}
