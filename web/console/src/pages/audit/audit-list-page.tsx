import type { Schemas } from 'quittance'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SERVICE_URL } from '#app/base-path.ts'
import { useApi } from '#app/shell-context.ts'
import { DownloadButton } from '#components/download.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { AuditDrawer } from '#pages/audit/audit-drawer.tsx'
import { auditList, operatorAuditList } from '#pages/audit/audit-list.tsx'

type AuditEntry = Schemas['AuditEntry']

/** What happened to this business. */
export function AuditListPage() {
  const { downloadAddress, business, environment } = useApi()
  return (
    <AuditPage
      listOf={auditList}
      fileName={`audit-${business}-${environment}.csv`}
      address={downloadAddress('/svc/log/api/v1/openapi/audit_entries/export.csv')}
    />
  )
}

/** What belongs to no business. */
export function OperatorAuditPage() {
  const { t } = useTranslation('audit')
  return (
    <AuditPage
      title={t('operators')}
      listOf={operatorAuditList}
      fileName="operators-log.csv"
      address={`${SERVICE_URL}/console/api/audit_entries/export.csv`}
    />
  )
}

interface AuditPageProps {
  readonly title?: string
  readonly listOf: (onOpen: (entry: AuditEntry) => void) => ListDefinition<AuditEntry>
  readonly fileName: string
  readonly address: string
}

function AuditPage({ title, listOf, fileName, address }: AuditPageProps) {
  const { t } = useTranslation('audit')
  const [shown, setShown] = useState<AuditEntry>()
  const list = useMemo(() => listOf(setShown), [listOf])
  return (
    <>
      <ListPage
        list={list}
        {...(title !== undefined && { title })}
        actions={
          <DownloadButton address={address} fileName={fileName}>
            {t('export')}
          </DownloadButton>
        }
      />
      {shown !== undefined && <AuditDrawer entry={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
