import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { TextLink } from '#components/links.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Section } from '#components/section.tsx'
import { invoiceList } from '#pages/invoices/invoice-list.tsx'

/** The invoices and credit notes of an order or a customer, for whoever may read them. */
export function DocumentSection({ filter }: { readonly filter: string }) {
  const { t } = useTranslation('invoices')
  const { can } = useApi()
  if (!can('billing:read')) return null
  return (
    <Section
      title={t('documents')}
      actions={
        <TextLink to="/invoices" search={{ filter }} fz="sm">
          {t('all_documents')}
        </TextLink>
      }
    >
      <RelatedList
        list={invoiceList}
        label={t('documents')}
        empty={t('no_documents')}
        filter={filter}
        columns={['number', 'state', 'total', 'amount_due', 'issue_date']}
      />
    </Section>
  )
}
