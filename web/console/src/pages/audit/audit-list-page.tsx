import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'quittance'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SERVICE_URL } from '#app/base-path.ts'
import { errorOf, readEnvelope } from '#app/envelope.ts'
import { useApi } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { AuditDrawer } from '#pages/audit/audit-drawer.tsx'
import { auditList, operatorAuditList } from '#pages/audit/audit-list.tsx'
import { saveResponse } from '#pages/reconciliations/save-response.ts'

type AuditEntry = Schemas['AuditEntry']

/** What happened to this business. */
export function AuditListPage() {
  const { quittance, business, environment } = useApi()
  return (
    <AuditPage
      listOf={auditList}
      fileName={`audit-${business}-${environment}.csv`}
      read={() => quittance.auditEntries.export()}
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
      read={readOperatorLog}
    />
  )
}

async function readOperatorLog(): Promise<Response> {
  const response = await fetch(`${SERVICE_URL}/console/api/audit_entries/export.csv`)
  if (!response.ok) throw errorOf(response, await readEnvelope(response))
  return response
}

interface AuditPageProps {
  readonly title?: string
  readonly listOf: (onOpen: (entry: AuditEntry) => void) => ListDefinition<AuditEntry>
  readonly fileName: string
  readonly read: () => Promise<Response>
}

function AuditPage({ title, listOf, fileName, read }: AuditPageProps) {
  const { t } = useTranslation('audit')
  const [shown, setShown] = useState<AuditEntry>()
  const list = useMemo(() => listOf(setShown), [listOf])
  const exported = useMutation({ mutationFn: async () => saveResponse(await read(), fileName) })
  return (
    <>
      <ListPage
        list={list}
        {...(title !== undefined && { title })}
        actions={
          <Button
            variant="default"
            loading={exported.isPending}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => exported.mutate()}
          >
            {t('export')}
          </Button>
        }
      />
      {exported.error !== null && <ErrorState error={exported.error} />}
      {shown !== undefined && <AuditDrawer entry={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
