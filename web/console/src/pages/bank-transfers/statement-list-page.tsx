import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { ButtonLink } from '#components/links.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Time } from '#components/time.tsx'
import { UploadButton } from '#pages/bank-transfers/entry-list-page.tsx'
import { type BankStatement, knownOf } from '#pages/bank-transfers/statement.ts'

const FORMATS = ['camt053', 'csv'] as const

const statementList: ListDefinition<BankStatement> = {
  name: 'bank-statements',
  path: `${BILLING}/bank_statements`,
  load: ({ quittance }, query, signal) => quittance.bankStatements.list(query, { signal }),
  rowId: ({ id }) => id,
  rowLink: ({ id }) => `/bank-statements/${id}`,
  columns: [
    { id: 'created_at', phone: 'title', cell: ({ created_at }) => <Time at={created_at} /> },
    { id: 'format', phone: 'detail', cell: ({ format }) => <Format format={format} /> },
    {
      id: 'entries',
      align: 'right',
      phone: 'end',
      cell: ({ entries }) => entries,
      phoneCell: (statement) => <Entries statement={statement} />,
    },
    { id: 'known', align: 'right', cell: (statement) => knownOf(statement) },
    { id: 'matched', align: 'right', cell: ({ matched }) => matched },
    {
      id: 'unmatched',
      align: 'right',
      phone: 'end_detail',
      cell: ({ unmatched }) => unmatched,
      phoneCell: (statement) => <Waiting statement={statement} />,
    },
    { id: 'reference_id', isHidden: true, cell: ({ reference_id }) => reference_id ?? '—' },
    { id: 'id', isHidden: true, cell: ({ id }) => id },
  ],
  filters: [
    { field: 'created_at', kind: 'time' },
    { field: 'format', kind: 'word', words: FORMATS },
    { field: 'reference_id', kind: 'text' },
    { field: 'id', kind: 'exact' },
  ],
}

function Entries({ statement: { entries } }: { readonly statement: BankStatement }) {
  const { t } = useTranslation('bank-statements')
  return t('phone.entries', { count: entries })
}

function Waiting({ statement: { unmatched } }: { readonly statement: BankStatement }) {
  const { t } = useTranslation('bank-statements')
  return t('phone.unmatched', { count: unmatched })
}

export function Format({ format }: Pick<BankStatement, 'format'>) {
  const { t } = useTranslation('bank-statements')
  return t(`format.${format}`)
}

export function StatementListPage() {
  const { t } = useTranslation('bank-statements')
  return (
    <ListPage
      list={statementList}
      actions={
        <>
          <ButtonLink to="/bank-entries" variant="default" size="sm">
            {t('to_entries')}
          </ButtonLink>
          <UploadButton />
        </>
      }
    />
  )
}
