/**
 * What a document says, as texts alone: the drawing thread gets nothing else. Equal texts make equal files.
 * - `language`: BCP 47; also the direction of the page.
 * - `createdAt`: RFC 3339. What the file says of its own making.
 * - `transferCode`: The text of a QR code beside the account.
 */
export interface DocumentTexts {
  readonly language: string
  readonly title: string
  readonly businessName: string
  readonly logo: string | null
  readonly contacts: readonly string[]
  readonly testMode: string | null
  readonly referenceNumber: string
  readonly createdAt: string
  readonly facts: readonly Fact[]
  readonly parties: readonly Party[]
  readonly headline: string | null
  readonly titles: Row
  readonly rows: readonly Row[]
  readonly sums: readonly Sum[]
  readonly taxes: Taxes | null
  readonly paymentsTitle: string
  readonly payments: readonly Payment[]
  readonly transferTitle: string
  readonly transfer: readonly Fact[]
  readonly transferCode: { readonly content: string; readonly caption: string } | null
  readonly paymentLink: string | null
  readonly scanToPay: string
  readonly notes: readonly string[]
  readonly footer: string | null
  readonly pageNumber: string
  readonly attachment: Attachment | null
}

export interface Fact {
  readonly label: string
  readonly value: string
}

interface Party {
  readonly title: string
  readonly name: string
  readonly lines: readonly string[]
}

/** - `tax`: Absent in documents without this column. */
export interface Row {
  readonly item: string
  readonly details: readonly string[]
  readonly quantity: string
  readonly price: string
  readonly tax: string | null
  readonly amount: string
}

export interface Sum {
  readonly label: string
  readonly amount: string
  readonly emphasis: 'none' | 'bold' | 'total'
}

export interface TaxRow {
  readonly name: string
  readonly base: string
  readonly amount: string
}

interface Taxes {
  readonly titles: TaxRow
  readonly rows: readonly TaxRow[]
}

export interface Payment {
  readonly date: string
  readonly description: string
  readonly amount: string
}

/**
 * A file that makes the document a PDF/A-3b (ISO 19005-3), of which the file is another form.
 * - `metadata`: RDF descriptions for the XMP packet.
 */
export interface Attachment {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly content: string
  readonly metadata: string
}
