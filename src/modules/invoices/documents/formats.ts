export const DOCUMENT_FORMATS = ['pdf', 'ubl', 'cii', 'facturx', 'peppol', 'xrechnung'] as const

export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]
