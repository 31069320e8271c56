import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { PolicyDialog } from '#pages/dunning/policy-dialog.tsx'
import { policyList } from '#pages/dunning/policy-list.tsx'

export function PolicyListPage() {
  const { t } = useTranslation('dunning')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ListPage
        list={policyList}
        actions={
          <ActionButton scope="recurring:write" variant="filled" onClick={() => setOpen(true)}>
            {t('new.button')}
          </ActionButton>
        }
      />
      {isOpen && <PolicyDialog onClose={() => setOpen(false)} />}
    </>
  )
}
