import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { useBulkActions } from '#components/bulk/use-bulk-actions.tsx'
import { ButtonLink } from '#components/links.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { planList } from '#pages/plans/plan-list.tsx'

export function PlanListPage() {
  const { t } = useTranslation('plans')
  const api = useApi()
  const bulk = useBulkActions<{ readonly id: string }>({ of: 'plans', idOf: ({ id }) => id })
  return (
    <>
      <ListPage
        list={planList}
        bulkActions={bulk.actions}
        actions={api.can('recurring:write') && <ButtonLink to="/plans/new">{t('new.button')}</ButtonLink>}
      />
      {bulk.dialog}
    </>
  )
}
