import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { EntityDialog } from '#pages/settings/legal-entities/entity-dialog.tsx'
import { entityList } from '#pages/settings/legal-entities/entity-list.tsx'

export function EntitiesPage() {
  const { t } = useTranslation(['legal-entities', 'tax-ids'])
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ListPage
        list={entityList}
        actions={
          <ActionButton scope="billing:write" variant="filled" onClick={() => setOpen(true)}>
            {t('new.button')}
          </ActionButton>
        }
      />
      {isOpen && <EntityDialog onClose={() => setOpen(false)} />}
    </>
  )
}
