import { Stack, Text } from '@mantine/core'
import type { Order } from 'quittance'
import { useTranslation } from 'react-i18next'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { LinkToCopy } from '#components/link-to-copy.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { formatAmount } from '#components/money.tsx'

interface OrderDialogProps {
  readonly order: Order
  readonly onClose: () => void
}

/** The steps of a void, by what the order's transactions are now (reference/orders#voiding). */
export function OrderVoidDialog({ order, onClose }: OrderDialogProps) {
  const { t, i18n } = useTranslation('order')
  const money = (amount: string) => `${formatAmount(amount, order.currency, i18n.language)} ${order.currency}`
  const voidable = order.transactions.filter(({ allow_void }) => allow_void)
  const waiting = order.transactions.filter(({ is_pending }) => is_pending)
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('void.title')}
      confirmLabel={t('void.confirm')}
      doneMessage={t('void.done')}
      run={(quittance) => quittance.orders.void(order.number)}
      effect={
        <Stack gap={4}>
          <Text size="sm">{t('void.effect', { reference: order.reference_number })}</Text>
          {voidable.map((one) => (
            <Text size="sm" key={one.uuid}>
              {t(one.type === 'Authorization' ? 'void.releases' : 'void.returns', {
                amount: money(one.amount),
              })}
            </Text>
          ))}
          {waiting.length > 0 && <Text size="sm">{t('void.cancels', { count: waiting.length })}</Text>}
        </Stack>
      }
    />
  )
}

interface LinkDialogProps extends OrderDialogProps {
  readonly kind: 'payment_link' | 'document'
}

/** A link for the payer: the page where the order can be paid, or its invoice or receipt. */
export function OrderLinkDialog({ order, kind, onClose }: LinkDialogProps) {
  const { t } = useTranslation('order')
  const area = kind === 'payment_link' ? 'link' : 'document'
  const query = useApiQuery(
    ['orders', order.number, kind],
    async ({ quittance }, signal) => {
      const wanted = kind === 'payment_link' ? { with_payment_link: true } : { with_download_link: true }
      const reply = await quittance.orders.get(order.number, wanted, { signal })
      return (kind === 'payment_link' ? reply.payment_link : reply.download_link) ?? null
    },
    { staleTime: 0 },
  )
  return (
    <ModalDialog
      opened
      onClose={onClose}
      title={t(`${area}.title`)}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Loaded query={query}>
        {(url) =>
          url === null ? (
            <Text size="sm">{t(`${area}.none`)}</Text>
          ) : (
            <LinkToCopy label={t(`${area}.label`)} url={url} />
          )
        }
      </Loaded>
    </ModalDialog>
  )
}
