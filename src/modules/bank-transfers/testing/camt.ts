interface Detail {
  readonly amount?: string
  readonly amountPath?: 'Amt' | 'AmtDtls/TxAmt/Amt' | 'AmtDtls/InstdAmt/Amt'
  readonly currency?: string
  readonly reference?: string
  readonly endToEndId?: string
  readonly debtorName?: string
  readonly debtorIban?: string
  readonly creditorIban?: string
  readonly remittance?: string
  readonly creditorReference?: string
  readonly returned?: boolean
}

interface Entry {
  readonly amount: string
  readonly direction?: 'CRDT' | 'DBIT'
  readonly status?: string
  readonly date?: string
  readonly reference?: string
  readonly reversal?: boolean
  readonly details?: readonly Detail[]
}

type Version = '02' | '08' | '10'

const IBAN = 'DE89370400440532013000'

export function camt053(entries: readonly Entry[], version: Version = '08'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">
<BkToCstmrStmt><GrpHdr><MsgId>1</MsgId><CreDtTm>2027-06-15T20:00:00</CreDtTm></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><IBAN>${IBAN}</IBAN></Id></Acct>
${entries.map((entry) => entryXml(entry, version)).join('\n')}
</Stmt></BkToCstmrStmt></Document>`
}

function entryXml(entry: Entry, version: Version): string {
  const { amount, direction = 'CRDT', status = 'BOOK', date = '2027-06-15', reference, reversal } = entry
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>
${reversal === undefined ? '' : `<RvslInd>${reversal}</RvslInd>`}
<Sts>${version === '02' ? status : `<Cd>${status}</Cd>`}</Sts><BookgDt><Dt>${date}</Dt></BookgDt>
${reference === undefined ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`}
<NtryDtls>${(entry.details ?? []).map((detail) => detailXml(detail, version)).join('\n')}</NtryDtls></Ntry>`
}

function detailXml(detail: Detail, version: Version): string {
  const { amount, amountPath = 'Amt', currency = 'EUR', debtorName, debtorIban } = detail
  const names = amountPath.split('/')
  const [last = ''] = names.slice(-1)
  const above = names.slice(0, -1)
  const name = version === '02' ? `<Nm>${debtorName}</Nm>` : `<Pty><Nm>${debtorName}</Nm></Pty>`
  const optional = (value: unknown, xml: string) => (value === undefined ? '' : xml)
  return `<TxDtls><Refs>${optional(detail.reference, `<AcctSvcrRef>${detail.reference}</AcctSvcrRef>`)}
<EndToEndId>${detail.endToEndId ?? 'NOTPROVIDED'}</EndToEndId></Refs>
${optional(
  amount,
  `${above.map((one) => `<${one}>`).join('')}<${last} Ccy="${currency}">${amount}</${last}>${above
    .toReversed()
    .map((one) => `</${one}>`)
    .join('')}`,
)}
<RltdPties>${optional(debtorName, `<Dbtr>${name}</Dbtr>`)}
${optional(debtorIban, `<DbtrAcct><Id><IBAN>${debtorIban}</IBAN></Id></DbtrAcct>`)}
${optional(detail.creditorIban, `<CdtrAcct><Id><IBAN>${detail.creditorIban}</IBAN></Id></CdtrAcct>`)}</RltdPties>
<RmtInf>${optional(detail.remittance, `<Ustrd>${detail.remittance}</Ustrd>`)}
${optional(detail.creditorReference, `<Strd><CdtrRefInf><Ref>${detail.creditorReference}</Ref></CdtrRefInf></Strd>`)}</RmtInf>
${optional(detail.returned, '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>')}</TxDtls>`
}
