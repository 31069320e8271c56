import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/links.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { useMessageList } from '#pages/messages/message-list.tsx'

export function MessageListPage() {
  const { t } = useTranslation('messages')
  return (
    <ListPage
      list={useMessageList()}
      actions={
        <>
          <ButtonLink to="/suppressions" variant="default" size="sm">
            {t('suppression.title')}
          </ButtonLink>
          <ButtonLink to="/settings/messages" variant="default" size="sm">
            {t('setting.title')}
          </ButtonLink>
        </>
      }
    />
  )
}
