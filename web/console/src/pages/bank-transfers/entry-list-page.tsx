import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ButtonLink } from '#components/links.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { entryList } from '#pages/bank-transfers/entry-list.tsx'

const UploadDialog = lazy(() =>
  import('#pages/bank-transfers/upload-dialog.tsx').then((page) => ({ default: page.UploadDialog })),
)

export function EntryListPage() {
  const { t } = useTranslation('bank-entries')
  return (
    <ListPage
      list={entryList}
      actions={
        <>
          <ButtonLink to="/bank-statements" variant="default" size="sm">
            {t('statements')}
          </ButtonLink>
          <UploadButton />
        </>
      }
    />
  )
}

export function UploadButton() {
  const { t } = useTranslation('bank-statements')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionButton scope="billing:write" variant="filled" onClick={() => setOpen(true)}>
        {t('upload.button')}
      </ActionButton>
      {isOpen && (
        <Suspense fallback={null}>
          <UploadDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
