import type { TaxIdType } from '#modules/taxes'
import type { InvoiceWords } from './invoice-words.ts'

/** What the country calls the number, whatever the language of the document. */
const LOCAL_NAMES: Readonly<Record<Exclude<TaxIdType, 'hk_br' | 'vat'>, string>> = {
  ae_trn: 'TRN',
  au_abn: 'ABN',
  ca_bn: 'Business Number (BN)',
  ch_vat: 'UID',
  in_gst: 'GSTIN',
  jp_rn: '登録番号',
  kr_brn: '사업자등록번호',
  no_vat: 'Org.nr.',
  nz_gst: 'GST No.',
  sg_gst: 'GST Reg. No.',
  sg_uen: 'UEN',
  th_vat: 'เลขประจำตัวผู้เสียภาษี',
  us_ein: 'EIN',
  za_vat: 'VAT No.',
}

/** VAT ids and Hong Kong's numbers have a name in each language of documents. */
export function taxIdName(type: TaxIdType, words: InvoiceWords): string {
  if (type === 'vat') return words.vatId
  return type === 'hk_br' ? words.hkBusinessRegistration : LOCAL_NAMES[type]
}
