import { Anchor, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyableId } from '#components/copyable-id.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { Placeholder } from '#components/parts.tsx'

/** Where a payer pays, to open and to copy. */
export function PaymentLink({ url }: { readonly url: string }) {
  const { t } = useTranslation('components')
  return (
    <Group gap="xs">
      <Anchor href={url} target="_blank" rel="noreferrer" fz="sm">
        {t('link.open')}
      </Anchor>
      <CopyableId id={url} />
    </Group>
  )
}

export function OrderPaymentLink({ number }: { readonly number: string }) {
  const { data, isFetched } = useApiQuery(['orders', number, 'payment_link'], ({ quittance }, signal) =>
    quittance.orders
      .get(number, { with_payment_link: true }, { signal })
      .then(({ payment_link }) => payment_link ?? null),
  )
  if (typeof data === 'string') return <PaymentLink url={data} />
  return isFetched ? '—' : <Placeholder>…</Placeholder>
}
