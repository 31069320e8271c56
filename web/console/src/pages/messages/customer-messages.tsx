import type { Customer } from 'quittance'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { TextLink } from '#components/links.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Section } from '#components/section.tsx'
import { useMessageList } from '#pages/messages/message-list.tsx'

/** What was mailed to a customer. */
export function CustomerMessages({ customer: { uuid } }: { readonly customer: Customer }) {
  const { t } = useTranslation('messages')
  const { can } = useApi()
  const list = useMessageList()
  if (!can('billing:read')) return null
  const filter = `customer.uuid = ${uuid}`
  return (
    <Section
      title={t('title')}
      actions={
        <TextLink to="/messages" search={{ filter }} fz="sm">
          {t('all')}
        </TextLink>
      }
    >
      <RelatedList
        list={list}
        label={t('title')}
        empty={t('none_sent')}
        filter={filter}
        columns={['subject', 'state', 'created_at']}
        limit={5}
      />
    </Section>
  )
}
