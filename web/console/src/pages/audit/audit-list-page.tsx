import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'quittance'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { AuditDrawer } from '#pages/audit/audit-drawer.tsx'
import { auditList } from '#pages/audit/audit-list.tsx'
import { saveResponse } from '#pages/reconciliations/save-response.ts'

export function AuditListPage() {
  const { t } = useTranslation('audit')
  const { quittance, business, environment } = useApi()
  const [shown, setShown] = useState<Schemas['AuditEntry']>()
  const list = useMemo(() => auditList(setShown), [])
  const exported = useMutation({
    mutationFn: async () => {
      await saveResponse(await quittance.auditEntries.export(), `audit-${business}-${environment}.csv`)
    },
  })
  return (
    <>
      <ListPage
        list={list}
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
